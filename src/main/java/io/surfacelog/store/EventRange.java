package io.surfacelog.store;

/**
 * Which events of a session to read.
 *
 * @param from first seq, included
 * @param to last seq, excluded
 * @param kind which of them
 * @param limit at most so many, from 1
 */
public record EventRange(long from, long to, Kind kind, long limit) {

    static final int PAGE = 1_000;

    /** Which events of a range to read. */
    public enum Kind {
        /** All of them. */
        ALL,
        /** Those on surface types. */
        SURFACE,
        /** All but stream chunks. */
        NOT_CHUNK
    }

    public EventRange {
        if (from < 0 || to < from || limit < 1) {
            throw new IllegalArgumentException("expected 0 <= from <= to and a limit from 1, found from " + from
                    + ", to " + to + ", limit " + limit);
        }
    }

    /** The whole log. */
    public static EventRange all() {
        return new EventRange(0, Long.MAX_VALUE, Kind.ALL, Long.MAX_VALUE);
    }

    public static EventRange of(long from, long to) {
        return new EventRange(from, to, Kind.ALL, Long.MAX_VALUE);
    }

    public EventRange from(long seq) {
        return new EventRange(seq, to, kind, limit);
    }

    public EventRange to(long seq) {
        return new EventRange(from, seq, kind, limit);
    }

    public EventRange kind(Kind other) {
        return new EventRange(from, to, other, limit);
    }

    public EventRange limit(long events) {
        return new EventRange(from, to, kind, events);
    }
}
