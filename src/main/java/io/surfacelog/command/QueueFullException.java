package io.surfacelog.command;

import io.surfacelog.event.SessionId;

/** So much waits to be committed that there is no room for another write; nothing was changed. Try it again later. */
public final class QueueFullException extends CommandException {

    private static final long serialVersionUID = 1L;

    private final long bytes;
    private final long queued;
    private final long limit;

    public QueueFullException(SessionId session, long bytes, long queued, long limit) {
        super(
                session,
                "there is no room for a write of " + bytes + " bytes to session \"" + session + "\": " + queued
                        + " bytes wait to be committed, the most is " + limit
                        + "; try it again later, or set surfacelog.queue.max-bytes higher, or"
                        + " surfacelog.queue.when-full to block");
        this.bytes = bytes;
        this.queued = queued;
        this.limit = limit;
    }

    /** Size of the write. */
    public long bytes() {
        return bytes;
    }

    /** What waited to be committed. */
    public long queued() {
        return queued;
    }

    public long limit() {
        return limit;
    }
}
