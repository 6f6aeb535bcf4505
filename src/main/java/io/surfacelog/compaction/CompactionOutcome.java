package io.surfacelog.compaction;

import io.surfacelog.event.EventSeqs;
import java.util.List;
import java.util.OptionalLong;

/** What became of a compaction that was asked for. */
public sealed interface CompactionOutcome {

    /**
     * The surface is shorter now, durably.
     *
     * @param compactionId its id in the log
     * @param seq the message that took the place of the hidden ones
     * @param hidden what it hides, in surface order
     * @param hiddenTokens what that was estimated to cost
     * @param tokensBefore estimate of the whole surface before
     * @param tokensAfter and after; appends made meanwhile count
     * @param orphans calls and results that stand alone on the surface now, in no certain order
     */
    record Compacted(
            String compactionId,
            long seq,
            EventSeqs hidden,
            long hiddenTokens,
            long tokensBefore,
            long tokensAfter,
            List<Orphan> orphans)
            implements CompactionOutcome {

        public Compacted {
            orphans = List.copyOf(orphans);
        }
    }

    /**
     * There is no pressure; nothing was written.
     *
     * @param tokens estimate of the surface
     * @param threshold from how many on there is; empty where the size of the context window is not known
     */
    record NotNeeded(long tokens, OptionalLong threshold) implements CompactionOutcome {}

    /**
     * There is nothing that may be hidden and is worth it; nothing was written.
     *
     * @param tokens estimate of the surface
     * @param reason why, for people
     * @param orphans calls and results that stand alone on the surface, in no certain order; a call that was never answered
     *     keeps its node where it is until {@code recover} answers it
     */
    record NothingToCompact(long tokens, String reason, List<Orphan> orphans) implements CompactionOutcome {

        public NothingToCompact {
            orphans = List.copyOf(orphans);
        }
    }

    /**
     * It failed. Its bracket is closed with the error, unless the log could not be written, and the surface is as it was.
     *
     * @param compactionId its id in the log
     * @param fault what went wrong
     * @param message the same for people
     */
    record Failed(String compactionId, CompactionFault fault, String message) implements CompactionOutcome {}
}
