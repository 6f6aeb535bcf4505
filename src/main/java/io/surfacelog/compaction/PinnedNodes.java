package io.surfacelog.compaction;

import io.surfacelog.surface.Surface;
import java.util.BitSet;

/**
 * Which nodes of a surface have to stay in sight, whatever is compacted around them. Pure; safe for use by several threads.
 *
 * <pre>{@code
 * PinnedNodes pinned = PinnedNodes.standard().and(surface -> positionsOfOurNotices(surface));
 * }</pre>
 */
@FunctionalInterface
public interface PinnedNodes {

    /** The positions of the nodes that stay. Cost: O(nodes). */
    BitSet of(Surface surface);

    /**
     * System notices and context (a {@code context/message}, or a source of kind {@code system} or {@code todo} or with a
     * {@code form}; of one kind, plugin, form and name the newest, and at most the newest 64), the newest call of a todo tool,
     * and, while a turn is open, the message of the user that it answers.
     */
    static PinnedNodes standard() {
        return StandardPins::of;
    }

    /** Nothing stays for its own sake. */
    static PinnedNodes none() {
        return surface -> new BitSet();
    }

    /** These and those of another. */
    default PinnedNodes and(PinnedNodes other) {
        return surface -> {
            BitSet all = (BitSet) of(surface).clone();
            all.or(other.of(surface));
            return all;
        };
    }
}
