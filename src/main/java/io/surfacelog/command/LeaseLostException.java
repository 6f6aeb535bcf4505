package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseToken;
import io.surfacelog.store.StoredLease;
import org.jspecify.annotations.Nullable;

/**
 * An append under a lease that was released or taken over; nothing was changed. Take the lease again to go on: the log may
 * hold by then what its next holder did.
 */
public final class LeaseLostException extends CommandException {

    private static final long serialVersionUID = 1L;

    private final long token;

    /**
     * @param lease the lease that is lost
     * @param current the lease as it is stored now, null if there never was one
     */
    public LeaseLostException(SessionId session, LeaseToken lease, @Nullable StoredLease current) {
        super(
                session,
                "the append to session \"" + session + "\" was not carried out: its "
                        + (lease.purpose() == LeasePurpose.DRIVER ? "driver's" : "compaction") + " lease "
                        + lease.token()
                        + " " + fate(lease.token(), current) + "; "
                        + (lease.purpose() == LeasePurpose.DRIVER ? "drive" : "compact")
                        + " the session again to go on");
        this.token = lease.token();
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
