package io.surfacelog.store;

/**
 * Which events of a session to read.
 *
 * @param from first seq, included
 * @param to last seq, excluded
 * @param kind which of them
 * @param limit at most so many, from 1
 * @param bytes ends behind the event whose data brings those before it and its own to so many bytes, about, from 1; so
 *     there is always one where there is any, however large
 */
public record EventRange(long from, long to, Kind kind, long limit, long bytes) {

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
        if (from < 0 || to < from || limit < 1 || bytes < 1) {
            throw new IllegalArgumentException("expected 0 <= from <= to, a limit from 1 and bytes from 1, found from "
                    + from + ", to " + to + ", limit " + limit + ", bytes " + bytes);
        }
    }

    /** A range of any size. */
    public EventRange(long from, long to, Kind kind, long limit) {
        this(from, to, kind, limit, Long.MAX_VALUE);
    }

    /** The whole log. */
    public static EventRange all() {
        return new EventRange(0, Long.MAX_VALUE, Kind.ALL, Long.MAX_VALUE);
    }

    public static EventRange of(long from, long to) {
        return new EventRange(from, to, Kind.ALL, Long.MAX_VALUE);
    }

    public EventRange from(long seq) {
        return new EventRange(seq, to, kind, limit, bytes);
    }

    public EventRange to(long seq) {
        return new EventRange(from, seq, kind, limit, bytes);
    }

    public EventRange kind(Kind other) {
        return new EventRange(from, to, other, limit, bytes);
    }

    public EventRange limit(long events) {
        return new EventRange(from, to, kind, events, bytes);
    }

    /** For who holds a page at a time: events may be large, and then a few are a page. */
    public EventRange bytes(long most) {
        return new EventRange(from, to, kind, limit, most);
    }
}
