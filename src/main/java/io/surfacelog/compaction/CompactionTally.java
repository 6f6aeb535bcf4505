package io.surfacelog.compaction;

import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;

/**
 * How often a session was compacted, by what its log says at the end of each compaction; whatever messages say of it, and
 * compactions that have not ended, do not count.
 *
 * <pre>{@code
 * CompactionTally tally = CompactionTally.of(queries.events(id, 0, queries.nextSeq(id)));
 * }</pre>
 *
 * @param succeeded how many ended without an error
 * @param failed how many ended with one
 */
public record CompactionTally(long succeeded, long failed) {

    /** None so far. */
    public static final CompactionTally NONE = new CompactionTally(0, 0);

    /** Of the events of a log. Cost: O(events). */
    public static CompactionTally of(Iterable<SessionEvent> log) {
        CompactionTally tally = NONE;
        for (SessionEvent event : log) {
            tally = tally.with(event);
        }
        return tally;
    }

    /** The same with one more event of the log. */
    public CompactionTally with(SessionEvent event) {
        if (!event.type().equals(EventType.COMPACTION_END) || !(event.payload() instanceof CompactionEnd end)) {
            return this;
        }
        return end.error() == null
                ? new CompactionTally(succeeded + 1, failed)
                : new CompactionTally(succeeded, failed + 1);
    }
}
