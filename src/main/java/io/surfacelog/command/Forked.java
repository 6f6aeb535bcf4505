package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.util.List;

/**
 * A fork that is durable.
 *
 * @param header the header of the new session; its {@code seedLength} says how many events it shares
 * @param events what was appended to them: {@code session/end-seed}, unless they end in one
 */
public record Forked(SessionHeader header, List<SessionEvent> events) {

    public Forked {
        events = List.copyOf(events);
    }

    /** The new session. */
    public SessionId session() {
        return header.id();
    }

    /** How many events it shares with the session it was forked from. */
    public long seedLength() {
        return header.seedLength().orElse(0);
    }

    /** The seq its next event will have. */
    public long nextSeq() {
        return seedLength() + events.size();
    }
}
