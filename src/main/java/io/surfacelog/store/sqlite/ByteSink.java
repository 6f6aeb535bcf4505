package io.surfacelog.store.sqlite;

import java.util.Arrays;

/** Collects numbers and bytes. Not safe for use by several threads. */
final class ByteSink {

    private byte[] bytes = new byte[256];
    private int size;

    /** Takes 1 byte below 128, 2 below 16,384, and so on; a negative number takes 10. */
    ByteSink number(long value) {
        room(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    /** Small numbers of either sign take few bytes. */
    ByteSink signed(long value) {
        return number(value << 1 ^ value >> 63);
    }

    ByteSink bytes(byte[] from, int start, int end) {
        room(end - start);
        System.arraycopy(from, start, bytes, size, end - start);
        size += end - start;
        return this;
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }
}
