package io.surfacelog.compaction;

import io.surfacelog.surface.Surface;

/**
 * A surface with what each of its nodes is estimated to cost. Immutable; safe for use by several threads.
 *
 * <pre>{@code
 * PricedSurface priced = meter.priced(id);
 * long newest = priced.tokens(priced.surface().nodes().size() - 1);
 * }</pre>
 */
public final class PricedSurface {

    private final Surface surface;
    private final TokenCount count;
    private final long[] before;

    /** @param costs what each node costs; becomes this object's */
    PricedSurface(Surface surface, TokenCount count, long[] costs) {
        this.surface = surface;
        this.count = count;
        this.before = new long[costs.length + 1];
        for (int i = 0; i < costs.length; i++) {
            before[i + 1] = before[i] + costs[i];
        }
    }

    public Surface surface() {
        return surface;
    }

    /** What the next request is expected to cost. */
    public TokenCount count() {
        return count;
    }

    /** Tokens of the node at this position, by estimate. Cost: O(1). */
    public long tokens(int position) {
        return tokens(position, position);
    }

    /** Tokens of the nodes from first to last position, both included, by estimate. Cost: O(1). */
    public long tokens(int first, int last) {
        if (first < 0 || last < first || last >= before.length - 1) {
            throw new IndexOutOfBoundsException("expected positions with 0 <= first <= last < " + (before.length - 1)
                    + ", found " + first + " to " + last);
        }
        return before[last + 1] - before[first];
    }

    /** Tokens of all nodes, by estimate; without system prompt and tools. Cost: O(1). */
    public long tokens() {
        return before[before.length - 1];
    }
}
