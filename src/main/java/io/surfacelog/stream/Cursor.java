package io.surfacelog.stream;

/**
 * How far a subscription has read: all commits before a position, and of that commit the events up to a seq. At position 0
 * it stands before all commits, and a seq says which events at the beginning of a session are not wanted.
 *
 * @param seq {@link #WHOLE} for all events of the commit
 */
record Cursor(long position, long seq) {

    static final long WHOLE = Long.MAX_VALUE;

    static Cursor after(StreamPosition position) {
        return new Cursor(position.position(), position.seq().orElse(WHOLE));
    }

    static Cursor after(long position) {
        return new Cursor(position, WHOLE);
    }

    /** Before this event of a session. */
    static Cursor beforeSeq(long seq) {
        return new Cursor(0, seq - 1);
    }

    boolean isWhole() {
        return seq == WHOLE;
    }

    /** The last commit of which everything was read. */
    long whole() {
        return isWhole() ? position : Math.max(0, position - 1);
    }
}
