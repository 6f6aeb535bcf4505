package io.surfacelog.stream;

import java.util.OptionalLong;

/**
 * A place in the stream from which a subscription goes on: after a whole commit, or after one event of it. Events of one
 * commit share its position, so only both together say what was heard.
 *
 * <pre>{@code
 * StreamPosition seen = StreamPosition.parse("812:57");   // after event 57, in the commit at position 812
 * stream.subscribe(StreamRequest.all().after(seen), listener);
 * }</pre>
 *
 * <p>Kept as text it is {@code 812:57}, or {@code 812} for the whole commit. Positions of one store compare in the order
 * of its stream; those of two stores have nothing to do with each other.
 *
 * @param position place of the commit in the global order, from 1; 0 for the beginning of the stream
 * @param seq the last event of the commit that was heard; empty for all of them
 */
public record StreamPosition(long position, OptionalLong seq) implements Comparable<StreamPosition> {

    /** Before the first event of the store. */
    public static final StreamPosition BEGINNING = after(0);

    public StreamPosition {
        if (position < 0 || seq.orElse(0) < 0 || (position == 0 && seq.isPresent())) {
            throw new IllegalArgumentException(
                    "expected a position from 0, and of an event from 1, with a seq from 0, found " + position
                            + (seq.isPresent() ? ":" + seq.getAsLong() : ""));
        }
    }

    /** After all events of this commit. */
    public static StreamPosition after(long position) {
        return new StreamPosition(position, OptionalLong.empty());
    }

    /** After this event of this commit. */
    public static StreamPosition after(long position, long seq) {
        return new StreamPosition(position, OptionalLong.of(seq));
    }

    /**
     * The position that this is the text of.
     *
     * @throws IllegalArgumentException if it is the text of none
     */
    public static StreamPosition parse(String text) {
        int colon = text.indexOf(':');
        try {
            return colon < 0
                    ? after(number(text))
                    : after(number(text.substring(0, colon)), number(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("expected a position like 812 or 812:57, found \"" + text + "\"", e);
        }
    }

    private static long number(String text) {
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException("expected digits, found \"" + text + "\"");
        }
        return Long.parseLong(text);
    }

    @Override
    public int compareTo(StreamPosition other) {
        int commits = Long.compare(position, other.position);
        return commits != 0 ? commits : Long.compare(seq.orElse(Long.MAX_VALUE), other.seq.orElse(Long.MAX_VALUE));
    }

    /** Its text, which {@link #parse} takes. */
    @Override
    public String toString() {
        return seq.isEmpty() ? Long.toString(position) : position + ":" + seq.getAsLong();
    }
}
