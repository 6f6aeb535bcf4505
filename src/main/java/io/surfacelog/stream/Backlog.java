package io.surfacelog.stream;

/**
 * Counts by how many commits one subscriber is behind: it remembers the last positions that concern it, as many as it may be
 * behind. Not safe for use by several threads.
 */
final class Backlog {

    private final long[] positions;
    private int next;

    Backlog(int commits) {
        this.positions = new long[commits];
    }

    /**
     * Adds a commit.
     *
     * @param begun position of the last commit of which anything was delivered
     * @return whether more commits than it holds wait behind that one
     */
    boolean add(long position, long begun) {
        long pushedOut = positions[next];
        positions[next] = position;
        next = (next + 1) % positions.length;
        return pushedOut > begun;
    }
}
