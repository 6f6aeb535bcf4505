package io.surfacelog.compaction;

import io.surfacelog.command.LeaseHeldException;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;
import java.time.Instant;

/** The session is being compacted already, by this process or another; nothing was changed. */
public final class CompactionRunningException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final String session;
    private final String holder;
    private final Instant expiresAt;

    CompactionRunningException(LeaseHeldException held) {
        super(String.valueOf(held.getMessage()), held);
        this.session = held.session().value();
        this.holder = held.holder();
        this.expiresAt = held.expiresAt();
    }

    public SessionId session() {
        return SessionId.of(session);
    }

    /** Who compacts it, for people: the process and its host. */
    public String holder() {
        return holder;
    }

    /** When that is taken to be dead, unless it is heard of. */
    public Instant expiresAt() {
        return expiresAt;
    }
}
