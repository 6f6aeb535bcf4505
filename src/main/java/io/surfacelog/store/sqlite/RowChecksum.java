package io.surfacelog.store.sqlite;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The checksum of one row: CRC32C over its table and all its columns in order, key included, each with its type and
 * length, so that no two rows are the same bytes. Not safe for use by several threads.
 */
final class RowChecksum {

    private final CRC32C crc = new CRC32C();
    private final byte[] head = new byte[9];

    private RowChecksum() {}

    static RowChecksum of(String table) {
        return new RowChecksum().text(table);
    }

    RowChecksum number(long value) {
        return head('i', value);
    }

    RowChecksum text(@Nullable String value) {
        return value == null ? head('n', 0) : utf8(value.getBytes(StandardCharsets.UTF_8));
    }

    /** The same as {@link #text} of the string that these bytes are. */
    RowChecksum utf8(byte[] value) {
        head('t', value.length);
        crc.update(value);
        return this;
    }

    private RowChecksum head(char kind, long value) {
        head[0] = (byte) kind;
        for (int i = 1; i <= 8; i++) {
            head[i] = (byte) (value >>> 64 - 8 * i);
        }
        crc.update(head);
        return this;
    }

    /** From 0 to 2^32−1. */
    long value() {
        return crc.getValue();
    }
}
