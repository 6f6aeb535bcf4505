package io.surfacelog.compaction;

import io.surfacelog.event.SessionId;
import java.time.Duration;

/**
 * Told of each compaction that has ended and of each pruning that shortened something, for metrics. Called on the thread that compacts; what it throws is logged and
 * changes nothing.
 */
@FunctionalInterface
public interface CompactionListener {

    /**
     * A compaction has ended.
     *
     * @param session the session
     * @param cause why it was asked for
     * @param outcome how it ended: compacted, nothing to compact, or failed
     * @param took from when it was asked for
     */
    void ended(SessionId session, CompactionRequest.Cause cause, CompactionOutcome outcome, Duration took);

    /**
     * Results have been shortened. Called on the thread that prunes.
     *
     * @param session the session
     * @param done what was done; not empty
     */
    default void pruned(SessionId session, PrunePlan done) {}
}
