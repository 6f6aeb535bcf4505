package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/**
 * The commit failed, and the store could not be read to find out whether the events are stored: they are all there or
 * none is. Once the store can be read, its log says which: it holds them at {@link #firstSeq()} or not. A write under an
 * idempotency key may simply be repeated. The next write to the session is planned on what the store holds then.
 */
public final class OutcomeUnknownException extends CommandException {

    private static final long serialVersionUID = 1L;

    private final long firstSeq;
    private final long nextSeq;

    OutcomeUnknownException(SessionId session, long firstSeq, long nextSeq, Throwable cause) {
        super(
                session,
                "whether "
                        + (nextSeq > firstSeq
                                ? "the events " + firstSeq + " to " + (nextSeq - 1) + " of session \"" + session
                                        + "\" are"
                                : "session \"" + session + "\" is")
                        + " stored is not known: the commit failed and the store cannot be read; read the session"
                        + " when it can, or repeat the append under its idempotency key");
        this.firstSeq = firstSeq;
        this.nextSeq = nextSeq;
        initCause(cause);
    }

    /** The seq the first event of the write has if it is stored. */
    public long firstSeq() {
        return firstSeq;
    }

    /** The tail after the write if it is stored; equal to {@link #firstSeq()} for the creation of an empty session. */
    public long nextSeq() {
        return nextSeq;
    }
}
