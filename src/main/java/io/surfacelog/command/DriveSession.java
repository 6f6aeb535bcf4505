package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/**
 * Take the driver's lease of a session, and close what a crash left open.
 *
 * @param session the session
 * @param forced whether the lease is taken from whoever holds it; its holder's appends are refused from then on
 */
public record DriveSession(SessionId session, boolean forced) implements SessionCommand<DriverLease> {

    /** Refused while somebody else holds the lease. */
    public DriveSession(SessionId session) {
        this(session, false);
    }

    /** Whoever holds the lease loses it: for a driver that is gone, on another machine or hanging. */
    public static DriveSession forced(SessionId session) {
        return new DriveSession(session, true);
    }
}
