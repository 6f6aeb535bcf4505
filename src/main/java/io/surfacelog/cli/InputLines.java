package io.surfacelog.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Splits a stream at byte 0x0A only; the last line may lack it. Memory is bounded by one line. */
final class InputLines {

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int from;
    private int to;

    InputLines(InputStream in) {
        this.in = in;
    }

    /** The bytes of the next line without its end, null after the last. */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream parts = null;
        while (true) {
            if (from == to) {
                from = 0;
                to = Math.max(0, in.read(buffer));
                if (to == 0) {
                    return parts == null ? null : parts.toByteArray();
                }
            }
            int end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            if (parts == null) {
                parts = new ByteArrayOutputStream(end - from);
            }
            parts.write(buffer, from, end - from);
            from = end;
            if (end < to) {
                from++;
                return parts.toByteArray();
            }
        }
    }

    /** The text of UTF-8 bytes. */
    static String decode(byte[] line) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(line))
                .toString();
    }
}
