package io.surfacelog.compaction;

import io.surfacelog.event.ToolResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What pruning would do to a surface.
 *
 * @param pruned the results to shorten, in surface order; none where it is not worth it
 * @param left the results that are too long and stay, and why, in surface order
 * @param reclaimed tokens that are reclaimed, by estimate
 * @param firstInvalidated position of the first shortened node: from there on a provider's prompt cache does not hold any
 *     more, and the next request is read anew
 * @param invalidated tokens from there on, by estimate, as they are afterwards
 */
public record PrunePlan(
        List<Pruned> pruned, List<Left> left, long reclaimed, OptionalInt firstInvalidated, long invalidated) {

    /**
     * A result to shorten.
     *
     * @param seq the node
     * @param whole the event that has the whole text: the node, unless it was shortened before
     * @param tool name of the tool, empty where its call is not on the surface
     * @param chars code points of text that are left out
     * @param reclaimed tokens that are reclaimed, by estimate
     * @param before tokens it takes, by estimate
     * @param result what takes its place
     */
    public record Pruned(
            long seq, long whole, Optional<String> tool, int chars, long reclaimed, long before, ToolResult result) {}

    /** A result that is too long and stays. */
    public record Left(long seq, Reason reason) {}

    /** Why a result stays. */
    public enum Reason {
        /** It is among the newest. */
        NEWEST,
        /** The model has not answered it yet. */
        UNSEEN,
        /** Its tool is protected. */
        PROTECTED,
        /** What it would reclaim is not worth what it would invalidate. */
        NOT_WORTH_IT,
        /** Others replaced results each time it was about to be shortened. */
        OVERTAKEN
    }

    public PrunePlan {
        pruned = List.copyOf(pruned);
        left = List.copyOf(left);
    }

    /** Whether there is nothing to do. */
    public boolean isEmpty() {
        return pruned.isEmpty();
    }
}
