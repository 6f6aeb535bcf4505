package io.surfacelog.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events. The client library has a reader too, but that one takes {@code "error":null} in an event for a
 * failure, drops what an endpoint says instead of a stream, holds a line of any length, and turns numbers into doubles.
 * For one thread.
 */
final class OpenAiEvents {

    /** The most one line, and the data of one event, may take, in bytes. */
    static final int MAX_BYTES = 16 << 20;

    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[8192];
    private int at;
    private int filled;
    private boolean ended;
    private boolean skipLineFeed;
    private boolean first = true;
    private boolean anyEvent;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    private final StringBuilder strange = new StringBuilder();

    /**
     * The data of one event.
     *
     * @param data its data lines, joined by line feeds
     * @param whole whether it was closed by a blank line; otherwise the stream ended in it
     */
    record Event(String data, boolean whole) {}

    OpenAiEvents(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** The next event with data, null at the end. Blocks until it is complete. */
    @Nullable
    Event next() throws IOException {
        StringBuilder data = null;
        while (true) {
            String text = nextLine();
            if (text == null) {
                return data == null ? null : event(data, false);
            }
            if (text.isEmpty()) {
                if (data != null) {
                    return event(data, true);
                }
                continue;
            }
            int colon = text.indexOf(':');
            String field = colon < 0 ? text : text.substring(0, colon);
            if (field.equals("data")) {
                String value = colon < 0 ? "" : text.substring(colon + 1);
                value = value.startsWith(" ") ? value.substring(1) : value;
                data = data == null ? new StringBuilder() : data.append('\n');
                data.append(value);
                limit(data.length());
            } else if (!isKnown(field)) {
                remember(text);
            }
        }
    }

    /** The lines that belong to no event, if there was no event at all: what the endpoint said instead of a stream. */
    String instead() {
        return anyEvent ? "" : strange.toString().strip();
    }

    private Event event(StringBuilder data, boolean whole) {
        anyEvent = true;
        strange.setLength(0);
        return new Event(data.toString(), whole);
    }

    private void remember(String text) throws IOException {
        if (!anyEvent) {
            strange.append(text).append('\n');
            limit(strange.length());
        }
    }

    /** A comment has an empty name. */
    private static boolean isKnown(String field) {
        return field.isEmpty() || field.equals("event") || field.equals("id") || field.equals("retry");
    }

    /** The next line, ended by LF, CR, both, or the end of the stream; null behind the last. */
    private @Nullable String nextLine() throws IOException {
        line.reset();
        while (true) {
            if (at == filled && !fill()) {
                return line.size() == 0 ? null : text();
            }
            if (skipLineFeed) {
                skipLineFeed = false;
                if (buffer[at] == '\n') {
                    at++;
                    continue;
                }
            }
            int from = at;
            while (at < filled && buffer[at] != '\n' && buffer[at] != '\r') {
                at++;
            }
            line.write(buffer, from, at - from);
            limit(line.size());
            if (at < filled) {
                // a line feed may follow in a later read; waiting for it here would hold back the event
                skipLineFeed = buffer[at++] == '\r';
                return text();
            }
        }
    }

    private boolean fill() throws IOException {
        if (ended) {
            return false;
        }
        at = 0;
        filled = Math.max(0, in.read(buffer));
        ended = filled == 0;
        return !ended;
    }

    private String text() {
        byte[] bytes = line.toByteArray();
        boolean marked = first
                && bytes.length >= MARK.length
                && bytes[0] == MARK[0]
                && bytes[1] == MARK[1]
                && bytes[2] == MARK[2];
        first = false;
        int from = marked ? MARK.length : 0;
        return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }

    private void limit(int size) throws IOException {
        if (size > maxBytes) {
            throw new OpenAiGarbageException("a line or an event of more than " + maxBytes + " bytes");
        }
    }
}
