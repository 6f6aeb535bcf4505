package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.util.List;

/**
 * What a write has made durable.
 *
 * @param session the session
 * @param events the events, with the seqs and times they were given
 * @param nextSeq the tail after them
 * @param repeated whether an earlier append under the same idempotency key had stored them already
 */
public record Appended(SessionId session, List<SessionEvent> events, long nextSeq, boolean repeated) {

    public Appended {
        events = List.copyOf(events);
    }

    /** Seq of the last event. */
    public long seq() {
        return nextSeq - 1;
    }

    /** Seq of the first event. */
    public long firstSeq() {
        return nextSeq - events.size();
    }
}
