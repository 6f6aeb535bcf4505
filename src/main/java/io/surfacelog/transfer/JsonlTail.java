package io.surfacelog.transfer;

/**
 * How a log file ended. Bytes after the last line end are a record that was being written when the writer stopped.
 *
 * @param keptBytes bytes of the complete lines; the torn bytes, if any, begin at this offset
 * @param tornBytes bytes after the last line end, which were not read
 */
public record JsonlTail(long keptBytes, long tornBytes) {

    public boolean isTorn() {
        return tornBytes > 0;
    }
}
