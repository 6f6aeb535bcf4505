package io.surfacelog.surface;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the structure rules stand after so many events. Immutable.
 *
 * @param structured whether there has been a turn/start
 * @param turnOpen whether a turn is open
 * @param turn number of the open or last turn, 0 before the first
 * @param stepOpen whether a step is open
 * @param step number of the open or last step of the turn, 0 before the first
 * @param calls the calls of the current step, answered or not
 * @param unanswered calls of earlier steps that were never answered
 * @param bracketOpen whether a compaction is open
 * @param openCompaction id of the open compaction, null where it has none
 * @param strayChunks whether any of the findings is about a stream chunk
 * @param findings what was found so far
 */
record StructureState(
        boolean structured,
        boolean turnOpen,
        long turn,
        boolean stepOpen,
        long step,
        List<StepCall> calls,
        List<CallKey> unanswered,
        boolean bracketOpen,
        @Nullable String openCompaction,
        boolean strayChunks,
        PersistentList<Finding> findings) {

    static final StructureState NONE = new StructureState(
            false, false, 0, false, 0, List.of(), List.of(), false, null, false, PersistentList.empty());

    /** All calls that have no result yet. */
    Set<CallKey> waiting() {
        Set<CallKey> waiting = new HashSet<>(unanswered);
        calls.stream().filter(call -> !call.answered()).forEach(call -> waiting.add(call.key()));
        return waiting;
    }

    /** The same, with these findings of a fold that has seen more chunks. */
    StructureState with(PersistentList<Finding> more) {
        return new StructureState(
                structured,
                turnOpen,
                turn,
                stepOpen,
                step,
                calls,
                unanswered,
                bracketOpen,
                openCompaction,
                strayChunks || more.size() > findings.size(),
                more);
    }

    /**
     * A call of the current step.
     *
     * @param key the call
     * @param answered whether a result was appended
     */
    record StepCall(CallKey key, boolean answered) {}
}
