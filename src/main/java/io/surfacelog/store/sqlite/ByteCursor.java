package io.surfacelog.store.sqlite;

/** Reads numbers and bytes one after the other; what goes beyond the end is refused. Not safe for use by several threads. */
final class ByteCursor {

    private final byte[] bytes;
    private int at;

    ByteCursor(byte[] bytes, int from) {
        this.bytes = bytes;
        this.at = from;
    }

    int at() {
        return at;
    }

    boolean atEnd() {
        return at == bytes.length;
    }

    /** A number as {@link ByteSink#number} writes it. */
    long number() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at >= bytes.length) {
                break;
            }
            byte next = bytes[at++];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("expected a number to end before byte " + at + ", found none that does");
    }

    /** A number from 0 to the most. */
    int number(int most) {
        long value = number();
        if (value < 0 || value > most) {
            throw new IllegalArgumentException("expected a number from 0 to " + most + ", found " + value);
        }
        return (int) value;
    }

    /** A number as {@link ByteSink#signed} writes it. */
    long signed() {
        long value = number();
        return value >>> 1 ^ -(value & 1);
    }

    /** Passes over so many bytes and gives the place where they begin. */
    int skip(int count) {
        if (count > bytes.length - at) {
            throw new IllegalArgumentException(
                    "expected " + count + " bytes from byte " + at + ", found " + (bytes.length - at));
        }
        int from = at;
        at += count;
        return from;
    }
}
