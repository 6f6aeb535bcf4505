package io.surfacelog.transfer;

/**
 * How a log file ended. Bytes after the last line end are a record that was being written when the writer stopped.
 *
 * @param keptBytes bytes of the complete lines; the torn bytes, if any, begin at this offset. In a Zstandard file, bytes of
 *     the frames before the one in which the torn record begins, or before the frame that is cut short
 * @param tornBytes bytes from there to the end of the file
 * @param inFrame whether the torn bytes are those of Zstandard frames: the complete lines that they hold have been read
 */
public record JsonlTail(long keptBytes, long tornBytes, boolean inFrame) {

    public boolean isTorn() {
        return tornBytes > 0;
    }
}
