package io.surfacelog.stream;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;

/**
 * An event that is durable.
 *
 * @param session the session it belongs to
 * @param position place of its commit in the global order, from 1; events of one commit share it
 * @param event the event
 */
public record SessionEventCommitted(SessionId session, long position, SessionEvent event) {

    /** Where a subscription goes on that has heard of this event and of nothing behind it. */
    public StreamPosition streamPosition() {
        return StreamPosition.after(position, event.seq());
    }
}
