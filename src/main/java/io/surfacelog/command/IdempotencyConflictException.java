package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/** An idempotency key was used before, for other content; nothing was changed. */
public final class IdempotencyConflictException extends CommandException {

    private static final long serialVersionUID = 1L;

    private final String key;
    private final long firstSeq;
    private final long count;

    public IdempotencyConflictException(SessionId session, String key, long firstSeq, long count) {
        super(
                session,
                "the idempotency key \"" + key + "\" of session \"" + session + "\" was used for the " + count
                        + " events from seq " + firstSeq
                        + ", which have other content; use another key for another append");
        this.key = key;
        this.firstSeq = firstSeq;
        this.count = count;
    }

    public String key() {
        return key;
    }

    /** Seq of the first event the key was used for. */
    public long firstSeq() {
        return firstSeq;
    }

    /** How many events the key was used for. */
    public long count() {
        return count;
    }
}
