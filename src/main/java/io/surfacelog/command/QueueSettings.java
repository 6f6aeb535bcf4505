package io.surfacelog.command;

/**
 * How much may be planned and not yet committed, over all sessions.
 *
 * @param maxBytes bytes of events in compact JSON, from 1; a single write that is larger is let in when nothing else is
 *     queued
 * @param whenFull what becomes of a write for which there is no room
 */
public record QueueSettings(long maxBytes, WhenFull whenFull) {

    /** What becomes of a write for which there is no room. It is never dropped unanswered. */
    public enum WhenFull {
        /** It waits, and helps committing meanwhile; an asynchronous append then blocks its caller too. */
        BLOCK,
        /** It is refused with a {@link QueueFullException}. */
        FAIL
    }

    public QueueSettings {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("expected a queue of at least 1 byte, found " + maxBytes);
        }
    }

    /** 64 MiB; a write for which there is no room waits. */
    public static QueueSettings defaults() {
        return new QueueSettings(64L << 20, WhenFull.BLOCK);
    }
}
