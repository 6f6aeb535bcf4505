package io.surfacelog.projection;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;

/** The session holds no event of this seq. */
public final class UnknownEventException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    private final String session;
    private final long seq;
    private final long nextSeq;

    public UnknownEventException(SessionId session, long seq, long nextSeq) {
        super("there is no event " + seq + " in session \"" + session + "\": "
                + (nextSeq == 0 ? "its log is empty" : "its events run from 0 to " + (nextSeq - 1)));
        this.session = session.value();
        this.seq = seq;
        this.nextSeq = nextSeq;
    }

    public SessionId session() {
        return SessionId.of(session);
    }

    public long seq() {
        return seq;
    }

    /** How many events the session has. */
    public long nextSeq() {
        return nextSeq;
    }
}
