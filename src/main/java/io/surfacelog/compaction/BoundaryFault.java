package io.surfacelog.compaction;

/**
 * Why a range must not be taken off the surface.
 *
 * @param rule which rule it would break
 * @param seq the node it is about
 * @param message what was expected, what was found, and what to do
 */
public record BoundaryFault(Rule rule, long seq, String message) {

    /** What a cut must keep to. */
    public enum Rule {
        /** The range begins and ends with nodes of the surface. */
        NOT_ON_SURFACE,
        /** It begins before it ends, by position. */
        ORDER,
        /** A call and its result are hidden together, and parallel calls of one message with all their results. */
        SPLIT_PAIR,
        /** A call whose step is open is still running. */
        RUNNING_CALL,
        /** A call that was never answered: recovery answers it, and then it may be hidden. */
        ORPHANED_CALL,
        /** A node that has to stay in sight. */
        PINNED
    }
}
