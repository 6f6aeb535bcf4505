package io.surfacelog.surface;

import io.surfacelog.event.EventPlace;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.StructureState.StepCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Folds the structure rules (format, section 10) over events that admission has let pass. */
final class StructureFold {

    private static final String CLOSER_ID = "interrupted-tool-result-";
    private static final Set<String> CLOSER_CODES = Set.of(Closers.OUTCOME_UNKNOWN, Closers.NOT_STARTED);

    private StructureState state;
    private final int foundBefore;

    StructureFold(StructureState state) {
        this.state = state;
        this.foundBefore = state.findings().size();
    }

    StructureState state() {
        return state;
    }

    /** Takes in what only a fold of every chunk has found: the findings of a later state up to a seq, excluded. */
    void findAsIn(StructureState later, long to) {
        List<Finding> all = later.findings().asList();
        int count = all.size();
        while (count > 0 && all.get(count - 1).seq() >= to) {
            count--;
        }
        if (count != state.findings().size()) {
            state = state.with(later.findings().first(count));
        }
    }

    /** What was found since this fold began. */
    List<Finding> found() {
        List<Finding> all = state.findings().asList();
        return List.copyOf(all.subList(foundBefore, all.size()));
    }

    /**
     * Folds one event.
     *
     * @param range what it takes off the nodes, null if nothing
     * @throws StructureException if it causes a finding that is to be enforced; then nothing is changed
     */
    void add(SessionEvent event, @Nullable ReplaceRange range, PersistentList<SurfaceNode> nodes, boolean enforce) {
        if (range == null && isInPlace(event)) {
            return;
        }
        Step step = new Step(state, event);
        step.fold(range, nodes);
        if (enforce && state.structured() && state.findings().size() == 0 && !step.found.isEmpty()) {
            throw new StructureException(step.found.get(0));
        }
        state = step.result();
    }

    /** Most events are chunks where they belong, and change nothing. */
    private boolean isInPlace(SessionEvent event) {
        return event.type().equals(EventType.ASSISTANT_CHUNK)
                && (!state.structured()
                        || state.stepOpen()
                                && event.place().step() == state.step()
                                && event.place().turn() == state.turn());
    }

    /** The fold of one event: a mutable copy of the state, so that a refusal leaves the state as it was. */
    private static final class Step {

        private final SessionEvent event;
        private final List<Finding> found = new ArrayList<>(0);
        private final StructureState before;
        private boolean structured;
        private boolean turnOpen;
        private long turn;
        private boolean stepOpen;
        private long step;
        private List<StepCall> calls;
        private List<CallKey> unanswered;
        private boolean bracketOpen;
        private @Nullable String openCompaction;
        private boolean strayChunks;
        private boolean changed = true;

        Step(StructureState state, SessionEvent event) {
            this.before = state;
            this.event = event;
            this.structured = state.structured();
            this.turnOpen = state.turnOpen();
            this.turn = state.turn();
            this.stepOpen = state.stepOpen();
            this.step = state.step();
            this.calls = state.calls();
            this.unanswered = state.unanswered();
            this.bracketOpen = state.bracketOpen();
            this.openCompaction = state.openCompaction();
            this.strayChunks = state.strayChunks();
        }

        StructureState result() {
            if (!changed && found.isEmpty()) {
                return before;
            }
            PersistentList<Finding> findings = before.findings();
            for (Finding finding : found) {
                findings = findings.append(finding);
            }
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
                    strayChunks,
                    findings);
        }

        void fold(@Nullable ReplaceRange range, PersistentList<SurfaceNode> nodes) {
            if (range != null) {
                PairRules.check(event, range, nodes, waiting())
                        .forEach(message -> report(StructureRule.PAIR_SPLIT_BY_REPLACE, message));
                changed = false;
                return;
            }
            switch (event.type()) {
                case EventType.TURN_START -> turnStart(event.place().turn());
                case EventType.TURN_END -> turnEnd(event.place().turn());
                case EventType.STEP_START ->
                    stepStart(event.place().turn(), event.place().step());
                case EventType.STEP_END ->
                    stepEnd(event.place().turn(), event.place().step());
                case EventType.ASSISTANT_CHUNK -> {
                    needStep();
                    strayChunks |= !found.isEmpty();
                    changed = false;
                }
                case EventType.TOOL_CALL -> {
                    needStep();
                    changed = false;
                }
                case EventType.ASSISTANT_MESSAGE -> {
                    needStep();
                    register(CallKey.calls(event));
                }
                case EventType.TOOL_RESULT -> {
                    boolean closer = isCloser(event.data().value());
                    if (!closer) {
                        needStep();
                    }
                    answer(CallKey.answered(event), closer ? nodes : PersistentList.empty());
                }
                case EventType.COMPACTION_START -> compactionStart(event.data().value());
                case EventType.COMPACTION_END -> compactionEnd(event.data().value());
                case EventType.SESSION_END_SEED -> bracketOpen = false;
                default -> changed = false;
            }
        }

        private void report(StructureRule rule, String message) {
            found.add(new Finding(rule, event.seq(), message));
        }

        private Set<CallKey> waiting() {
            return before.waiting();
        }

        private void turnStart(long number) {
            if (turnOpen) {
                report(
                        StructureRule.TURN_ALREADY_OPEN,
                        "expected turn " + turn + " to end first, found the start of turn " + number);
            }
            if (number != turn + 1) {
                report(StructureRule.TURN_NUMBER, "expected turn " + (turn + 1) + ", found turn " + number);
            }
            leaveStep();
            structured = true;
            turnOpen = true;
            turn = number;
            step = 0;
        }

        private void turnEnd(long number) {
            if (!structured) {
                changed = false;
                return;
            }
            if (!turnOpen) {
                report(StructureRule.TURN_NOT_OPEN, "expected an open turn, found the end of turn " + number);
            } else if (number != turn) {
                report(
                        StructureRule.TURN_END_MISMATCH,
                        "expected the end of turn " + turn + ", found that of turn " + number);
            }
            if (stepOpen) {
                report(
                        StructureRule.STEP_OPEN_AT_TURN_END,
                        "expected step " + step + " of turn " + turn + " to end first, found the end of the turn");
            }
            leaveStep();
            turnOpen = false;
        }

        private void stepStart(long ofTurn, long number) {
            if (!structured || !needTurn(ofTurn)) {
                changed = false;
                return;
            }
            if (stepOpen) {
                report(
                        StructureRule.STEP_ALREADY_OPEN,
                        "expected step " + step + " of turn " + turn + " to end first, found the start of step "
                                + number);
            }
            if (number != step + 1) {
                report(
                        StructureRule.STEP_NUMBER,
                        "expected step " + (step + 1) + " of turn " + turn + ", found step " + number);
            }
            leaveStep();
            stepOpen = true;
            step = number;
        }

        private void stepEnd(long ofTurn, long number) {
            if (!structured) {
                // steps are not followed yet, but calls are, by the turn and step they name
                boolean ends = !calls.isEmpty() && sameStep(calls.get(0).key(), new CallKey(ofTurn, number, ""));
                if (ends) {
                    leaveAnswered(number);
                }
                changed = ends;
                return;
            }
            if (!needTurn(ofTurn)) {
                changed = false;
                return;
            }
            if (!stepOpen || number != step) {
                report(
                        StructureRule.STEP_NOT_OPEN,
                        "expected " + openStep() + ", found the end of step " + number + " of turn " + ofTurn);
                changed = false;
                return;
            }
            leaveAnswered(number);
        }

        /** The step ends, which all its calls should have been answered before. */
        private void leaveAnswered(long number) {
            for (StepCall call : calls) {
                if (!call.answered()) {
                    report(
                            StructureRule.CALL_UNANSWERED_AT_STEP_END,
                            "expected a result for call \"" + call.key().callId() + "\" before the end of step "
                                    + number + ", found none");
                }
            }
            leaveStep();
        }

        private String openStep() {
            return stepOpen ? "the end of step " + step + " of turn " + turn : "an open step of turn " + turn;
        }

        /** The current step is over: its unanswered calls are remembered, its answered ones forgotten. */
        private void leaveStep() {
            stepOpen = false;
            if (calls.isEmpty()) {
                return;
            }
            List<CallKey> left = new ArrayList<>(unanswered);
            calls.stream().filter(call -> !call.answered()).forEach(call -> left.add(call.key()));
            unanswered = List.copyOf(left);
            calls = List.of();
        }

        private boolean needTurn(long number) {
            if (turnOpen && number == turn) {
                return true;
            }
            report(
                    StructureRule.TURN_NOT_OPEN,
                    "expected " + (turnOpen ? "turn " + turn + ", which is open" : "an open turn") + ", found "
                            + event.type() + " of turn " + number);
            return false;
        }

        private void needStep() {
            EventPlace place = event.place();
            if (!structured || stepOpen && place.step() == step && place.turn() == turn) {
                return;
            }
            report(
                    StructureRule.STEP_NOT_OPEN,
                    "expected " + (stepOpen ? "step " + step + " of turn " + turn + ", which is open" : "an open step")
                            + ", found " + event.type() + " of step " + place.step() + " of turn " + place.turn());
        }

        private void register(List<CallKey> asked) {
            if (asked.isEmpty()) {
                changed = false;
                return;
            }
            if (!calls.isEmpty() && !sameStep(calls.get(0).key(), asked.get(0))) {
                boolean open = stepOpen;
                leaveStep();
                stepOpen = open;
            }
            List<StepCall> more = new ArrayList<>(calls);
            Set<CallKey> known = new java.util.HashSet<>();
            calls.forEach(call -> known.add(call.key()));
            for (CallKey call : asked) {
                if (call.callId().isEmpty()) {
                    report(
                            StructureRule.CALL_ID_EMPTY,
                            "expected every tool call to have an id, found an empty one: no result can name it");
                    continue;
                }
                if (!known.add(call)) {
                    report(
                            StructureRule.CALL_ID_REUSED_IN_STEP,
                            "expected each call id once in a step, found \"" + call.callId() + "\" again");
                }
                more.add(new StepCall(call, false));
            }
            calls = List.copyOf(more);
        }

        private static boolean sameStep(CallKey a, CallKey b) {
            return a.turn() == b.turn() && a.step() == b.step();
        }

        /** A closer may also answer a call that a replace has brought onto the surface, which no step waits for. */
        private void answer(CallKey key, PersistentList<SurfaceNode> ofCloser) {
            int answered = -1;
            for (int i = 0; i < calls.size(); i++) {
                StepCall call = calls.get(i);
                if (call.key().equals(key)) {
                    if (!call.answered()) {
                        List<StepCall> next = new ArrayList<>(calls);
                        next.set(i, new StepCall(key, true));
                        calls = List.copyOf(next);
                        return;
                    }
                    answered = i;
                }
            }
            if (answered < 0 && unanswered.contains(key)) {
                List<CallKey> left = new ArrayList<>(unanswered);
                left.remove(key);
                unanswered = List.copyOf(left);
                return;
            }
            changed = false;
            if (OrphanedCalls.stands(key, answered < 0 ? 0 : 1, ofCloser)) {
                return;
            }
            if (answered >= 0) {
                report(
                        StructureRule.CALL_ANSWERED_TWICE,
                        "expected one result for call \"" + key.callId() + "\", found another");
            } else {
                report(
                        StructureRule.CALL_RESULT_WITHOUT_CALL,
                        "expected a call \"" + key.callId() + "\" in step " + key.step() + " of turn " + key.turn()
                                + ", found only its result");
            }
        }

        private static boolean isCloser(Json data) {
            JsonObject result = (JsonObject) data;
            return result.object("message")
                            .flatMap(message -> message.string("id"))
                            .filter(id -> id.startsWith(CLOSER_ID))
                            .isPresent()
                    && result.object("error")
                            .flatMap(error -> error.string("code"))
                            .filter(CLOSER_CODES::contains)
                            .isPresent();
        }

        private void compactionStart(Json data) {
            if (bracketOpen) {
                report(
                        StructureRule.BRACKET_SECOND_COMPACTION,
                        "expected the open compaction " + openCompaction + " to end first, found another");
            }
            bracketOpen = true;
            openCompaction = compactionId(data);
        }

        private void compactionEnd(Json data) {
            if (java.util.Objects.equals(openCompaction, compactionId(data))) {
                bracketOpen = false;
                openCompaction = null;
            }
        }

        private static @Nullable String compactionId(Json data) {
            return data instanceof JsonObject object
                    ? object.string("compactionId").orElse(null)
                    : null;
        }
    }
}
