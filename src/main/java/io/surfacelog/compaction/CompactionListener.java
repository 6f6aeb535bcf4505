package io.surfacelog.compaction;

import io.surfacelog.event.SessionId;
import java.time.Duration;

/**
 * Told of each compaction that has ended, for metrics. Called on the thread that compacts; what it throws is logged and
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
}
