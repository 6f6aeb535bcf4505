package io.surfacelog.store;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;

/**
 * A session as the store knows it.
 *
 * @param header its header
 * @param nextSeq its tail: the seq the next event will have, so also the number of events
 * @param surfaceEvents how many of its events are on surface types
 * @param ordinal its place among all sessions ever created, for paging
 */
public record StoredSession(SessionHeader header, long nextSeq, long surfaceEvents, long ordinal) {

    public SessionId id() {
        return header.id();
    }
}
