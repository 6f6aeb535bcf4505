package io.surfacelog.compaction;

/**
 * A call without its result on the surface, or a result without its call. It keeps nothing else from being compacted.
 *
 * @param kind what is missing
 * @param seq the node that is alone
 * @param callId the id of the call
 */
public record Orphan(Kind kind, long seq, String callId) {

    /** What is missing. */
    public enum Kind {
        /** A call that was never answered, and whose step is over. Its node stays; {@code recover} answers it. */
        UNANSWERED_CALL,
        /** A call whose result was hidden alone by an earlier replace. May be hidden. */
        CALL_WITHOUT_RESULT,
        /** A result whose call is not on the surface. May be hidden. */
        RESULT_WITHOUT_CALL
    }
}
