package io.surfacelog.compaction;

import java.util.OptionalLong;

/**
 * Where a hidden event says what was looked for.
 *
 * @param seq the event
 * @param type its type
 * @param turn the turn that its data names, empty if none
 * @param hiddenBy the node that stands in its place now
 * @param offset where in the event's text the passage begins, in code points
 * @param text the passage, with its context
 * @param length length of the event's whole text, in code points
 */
public record RecallPassage(
        long seq, String type, OptionalLong turn, long hiddenBy, int offset, String text, int length) {

    /** Whether the event says more than the passage. */
    public boolean isCut() {
        return text.codePointCount(0, text.length()) < length;
    }
}
