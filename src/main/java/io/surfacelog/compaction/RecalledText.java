package io.surfacelog.compaction;

/**
 * A part of what an event says.
 *
 * @param seq the event
 * @param type its type
 * @param offset where the part begins, in code points
 * @param text the part
 * @param length length of the whole, in code points
 */
public record RecalledText(long seq, String type, int offset, String text, int length) {

    /** Where the next part begins; {@link #length()} at the end. */
    public int end() {
        return offset + text.codePointCount(0, text.length());
    }
}
