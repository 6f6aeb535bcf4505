package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoredLease;
import org.jspecify.annotations.Nullable;

/**
 * An append of a driver whose lease was released or taken over; nothing was changed. Drive the session again: its log may
 * hold by then what another driver did.
 */
public final class LeaseLostException extends CommandException {

    private static final long serialVersionUID = 1L;

    private final long token;

    /**
     * @param token the token of the lease that is lost
     * @param current the lease as it is stored now, null if there never was one
     */
    public LeaseLostException(SessionId session, long token, @Nullable StoredLease current) {
        super(
                session,
                "the append to session \"" + session + "\" was not carried out: its driver's lease " + token + " "
                        + fate(token, current) + "; drive the session again to go on");
        this.token = token;
    }

    private static String fate(long token, @Nullable StoredLease current) {
        if (current == null || current.token() < token) {
            return "was never given";
        }
        if (current.token() == token) {
            return "was released";
        }
        return "was taken over, now the lease is " + current.token() + " and held by "
                + LeaseHeldException.describe(current);
    }

    /** The token of the lease that is lost. */
    public long token() {
        return token;
    }
}
