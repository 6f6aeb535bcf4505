package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.LeaseHolder;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.StoredLease;
import java.time.Instant;

/**
 * Somebody else holds the lease of the session that was asked for; nothing was changed. It may be tried again when it is
 * released or expired.
 */
public final class LeaseHeldException extends CommandException {

    private static final long serialVersionUID = 1L;

    private final LeasePurpose purpose;
    private final String holder;
    private final long token;
    private final Instant expiresAt;

    public LeaseHeldException(SessionId session, StoredLease lease) {
        this(session, lease.purpose(), describe(lease), lease.token(), Instant.ofEpochMilli(lease.expiresAt()));
    }

    private LeaseHeldException(SessionId session, LeasePurpose purpose, String holder, long token, Instant expiresAt) {
        super(
                session,
                "session \"" + session + "\" is " + (purpose == LeasePurpose.DRIVER ? "driven" : "being compacted")
                        + " by " + holder + ", whose lease " + token + " lives until " + expiresAt
                        + " unless it is renewed; " + advice(purpose));
        this.purpose = purpose;
        this.holder = holder;
        this.token = token;
        this.expiresAt = expiresAt;
    }

    private static String advice(LeasePurpose purpose) {
        return purpose == LeasePurpose.DRIVER
                ? "end that driver or wait, or take the lease from it by force"
                        + " if it is gone (recover --force, RecoverSession.forced, DriveSession.forced)"
                : "wait until it is done, and compact again if there is still need";
    }

    static String describe(StoredLease lease) {
        LeaseHolder holder = lease.holder();
        return holder == null ? "nobody" : holder.description();
    }

    /** What it is held for. */
    public LeasePurpose purpose() {
        return purpose;
    }

    /** Who holds it, for people: the process and its host. */
    public String holder() {
        return holder;
    }

    /** The token of the lease that is held. */
    public long token() {
        return token;
    }

    /** When it expires unless it is renewed. */
    public Instant expiresAt() {
        return expiresAt;
    }
}
