package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/**
 * Close what a crash left open, while nobody drives the session.
 *
 * @param session the session
 * @param forced whether the driver's lease is taken from whoever holds it; its holder's appends are refused from then on
 */
public record RecoverSession(SessionId session, boolean forced) implements SessionCommand<Appended> {

    /** Refused while somebody else holds the driver's lease. */
    public RecoverSession(SessionId session) {
        this(session, false);
    }

    /** Whoever holds the driver's lease loses it: for a driver that is gone, on another machine or hanging. */
    public static RecoverSession forced(SessionId session) {
        return new RecoverSession(session, true);
    }
}
