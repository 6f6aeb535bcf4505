package io.surfacelog.transfer;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts bytes into lines at 0x0A and nowhere else: neither at a carriage return nor at the line separators of Unicode,
 * which stand in strings. A line is complete only with its 0x0A. Holds one line, however long the file is.
 *
 * <p>A line over the maximum is read past, not kept, so that a torn tail of any length is still found to be torn.
 */
final class ByteLines implements Closeable {

    private static final int CHUNK = 1 << 16;
    private static final int KEEP = 1 << 20;
    private static final char REPLACEMENT = '\uFFFD';
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final InputStream in;
    private final int maxBytes;
    private byte[] buffer = new byte[CHUNK];
    private int from;
    private int lineEnd;
    private int nextFrom;
    private int to;
    private long number;
    private long offset;
    private long length;
    private boolean tooLong;
    private boolean ended;

    /** @param maxBytes the longest line, its 0x0A not counted */
    ByteLines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** Moves to the next complete line; false where there is none, then {@link #length()} counts the torn bytes. */
    boolean next() throws IOException {
        if (ended) {
            return false;
        }
        offset += length;
        from = nextFrom;
        shrink();
        long passed = 0;
        int scan = from;
        while (true) {
            int end = indexOfLineFeed(scan);
            if (end >= 0) {
                lineEnd = end;
                nextFrom = end + 1;
                length = passed + nextFrom - from;
                tooLong = length - 1 > maxBytes;
                number++;
                return true;
            }
            if (to - from > maxBytes) {
                passed += to - from;
                from = 0;
                to = 0;
            }
            makeRoom();
            scan = to;
            int read = in.read(buffer, to, buffer.length - to);
            if (read < 0) {
                length = passed + to - from;
                ended = true;
                return false;
            }
            to += read;
        }
    }

    private int indexOfLineFeed(int start) {
        for (int i = start; i < to; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void makeRoom() {
        if (to < buffer.length) {
            return;
        }
        if (from > 0) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
        } else {
            buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, maxBytes + (long) CHUNK));
        }
    }

    private void shrink() {
        if (buffer.length > KEEP && to - from <= CHUNK) {
            buffer = Arrays.copyOf(Arrays.copyOfRange(buffer, from, to), CHUNK);
            to -= from;
            from = 0;
        }
    }

    /** Physical number of the line, from 1. */
    long number() {
        return number;
    }

    /** Where the line begins; after the last one, where the torn bytes begin. */
    long offset() {
        return offset;
    }

    /** Bytes of the line, its 0x0A included. */
    long length() {
        return length;
    }

    /**
     * The line as text, without its 0x0A.
     *
     * @throws AdmissionException {@code json.syntax} for malformed UTF-8, a byte order mark and a blank line; {@code
     *     limit.event-bytes} if it is too long
     */
    String text() {
        if (tooLong) {
            throw new AdmissionException(
                    AdmissionRule.LIMIT_EVENT_BYTES,
                    "expected a line of at most " + maxBytes + " bytes, found one of " + (length - 1) + " bytes");
        }
        String text = new String(buffer, from, lineEnd - from, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            checkEncoding();
        }
        if (text.indexOf(BYTE_ORDER_MARK) == 0) {
            throw syntax("a JSON object, found a byte order mark before it");
        }
        if (text.isBlank()) {
            throw syntax("a JSON object, found a blank line");
        }
        return text;
    }

    /** A replacement character either stands in the file or stands for bytes that are no UTF-8; only this tells. */
    private void checkEncoding() {
        ByteBuffer bytes = ByteBuffer.wrap(buffer, from, lineEnd - from);
        boolean malformed = StandardCharsets.UTF_8
                .newDecoder()
                .decode(bytes, CharBuffer.allocate(lineEnd - from), true)
                .isError();
        if (malformed) {
            throw syntax("UTF-8, found malformed bytes at byte " + (offset + bytes.position() - from) + " of the file");
        }
    }

    private static AdmissionException syntax(String expected) {
        return new AdmissionException(AdmissionRule.JSON_SYNTAX, "expected " + expected);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
