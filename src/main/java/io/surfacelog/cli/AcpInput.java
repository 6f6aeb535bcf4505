package io.surfacelog.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The lines a client sends, of bounded length: a longer one is passed over and told of, so that it costs no memory. */
final class AcpInput {

    /** Room for the largest event, spelled with escapes. */
    static final int MAX_LINE = 64 << 20;

    /** A line was longer than may be; the next one can be read. */
    static final class LineTooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        private LineTooLongException(int maxLine) {
            super("expected a line of at most " + maxLine + " bytes, found a longer one, which was passed over");
        }
    }

    private final InputStream in;
    private final int maxLine;
    private final byte[] buffer = new byte[1 << 16];
    private int from;
    private int to;

    AcpInput(InputStream in) {
        this(in, MAX_LINE);
    }

    AcpInput(InputStream in, int maxLine) {
        this.in = in;
        this.maxLine = maxLine;
    }

    /** The bytes of the next line that is not blank, null after the last; the last may lack its end. */
    byte @Nullable [] next() throws IOException {
        byte[] line = line();
        while (line != null && isBlank(line)) {
            line = line();
        }
        return line;
    }

    private byte @Nullable [] line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean tooLong = false;
        while (true) {
            if (from == to) {
                from = 0;
                to = Math.max(0, in.read(buffer));
                if (to == 0 && line.size() == 0) {
                    return null;
                }
            }
            int end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            int length = Math.min(end - from, maxLine - line.size());
            line.write(buffer, from, length);
            tooLong |= length < end - from;
            boolean ended = end < to || to == 0;
            from = Math.min(end + 1, to);
            if (ended && tooLong) {
                throw new LineTooLongException(maxLine);
            }
            if (ended) {
                return line.toByteArray();
            }
        }
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }
}
