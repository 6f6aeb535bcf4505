package io.surfacelog.transfer;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Looks at the first bytes of a Zstandard frame (RFC 8878) before anything is allocated for it. */
final class ZstdFrameHeader {

    /** The longest header. */
    static final int MAX_BYTES = 18;

    /** 128 MiB: what the program {@code zstd} decodes unless told otherwise. */
    static final int MAX_WINDOW_LOG = 27;

    static final long MAX_WINDOW = 1L << MAX_WINDOW_LOG;

    private static final int MAGIC = 0xFD2FB528;
    private static final int SKIPPABLE = 0x184D2A50;
    private static final int ONE_SEGMENT = 0x20;
    private static final int RESERVED = 0x08;
    private static final int CHECKSUM = 0x04;
    private static final int DICTIONARY = 0x03;

    private ZstdFrameHeader() {}

    static boolean isMagic(ByteBuffer bytes) {
        int magic = bytes.order(ByteOrder.LITTLE_ENDIAN).getInt(0);
        return magic == MAGIC || isSkippable(magic);
    }

    private static boolean isSkippable(int magic) {
        return (magic & 0xFFFFFFF0) == SKIPPABLE;
    }

    /**
     * Checks the header of a frame.
     *
     * @param bytes at least one; what there is of it
     * @return false if the header is cut short
     * @throws AdmissionException if there is no frame, or one that is not read: without a checksum, with a dictionary, with
     *     a window too large, or a skippable one, which has no checksum either
     */
    static boolean check(ByteBuffer bytes) {
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() < Integer.BYTES) {
            if (isStart(bytes)) {
                return false;
            }
            throw refused("a frame, found other bytes");
        }
        int magic = bytes.getInt();
        if (magic != MAGIC) {
            throw refused(
                    isSkippable(magic)
                            ? "a frame of data, found a skippable one, which no checksum covers; compress the log again"
                            : "a frame, found other bytes");
        }
        try {
            checkFields(bytes);
            return true;
        } catch (BufferUnderflowException cutShort) {
            return false;
        }
    }

    private static void checkFields(ByteBuffer bytes) {
        int descriptor = bytes.get();
        if ((descriptor & RESERVED) != 0) {
            throw refused("a frame whose reserved bit is 0, found 1");
        }
        if ((descriptor & CHECKSUM) == 0) {
            throw refused("a frame with a checksum, found one without; compress the log again");
        }
        boolean oneSegment = (descriptor & ONE_SEGMENT) != 0;
        long window = oneSegment ? 0 : window(bytes.get());
        if (number(bytes, new int[] {0, 1, 2, 4}[descriptor & DICTIONARY]) != 0) {
            throw refused("a frame without a dictionary, found one that needs one");
        }
        int sizeBytes = new int[] {oneSegment ? 1 : 0, 2, 4, 8}[descriptor >>> 6 & 3];
        long size = number(bytes, sizeBytes) + (sizeBytes == 2 ? 256 : 0);
        if (oneSegment) {
            window = size;
        }
        if (window < 0 || window > MAX_WINDOW) {
            throw refused("a frame with a window of at most " + MAX_WINDOW + " bytes, found one of "
                    + Long.toUnsignedString(window) + "; compress the log again");
        }
    }

    private static long window(byte descriptor) {
        long base = 1L << 10 + (descriptor >>> 3 & 31);
        return base + base / 8 * (descriptor & 7);
    }

    private static long number(ByteBuffer bytes, int length) {
        long number = 0;
        for (int i = 0; i < length; i++) {
            number |= (bytes.get() & 0xffL) << 8 * i;
        }
        return number;
    }

    private static boolean isStart(ByteBuffer bytes) {
        for (int i = 0; i < bytes.remaining(); i++) {
            if (bytes.get(bytes.position() + i) != (byte) (MAGIC >>> 8 * i)) {
                return false;
            }
        }
        return true;
    }

    private static AdmissionException refused(String expected) {
        return new AdmissionException(AdmissionRule.FILE_FRAME, expected);
    }
}
