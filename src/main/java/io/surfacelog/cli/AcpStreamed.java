package io.surfacelog.cli;

import io.surfacelog.event.JsonObject;
import java.util.function.Consumer;

/**
 * Text of one kind in one attempt: what was streamed of it goes out at once, and of the message that sums it up only what was
 * not. For one thread.
 */
final class AcpStreamed {

    private final String kind;
    private final StringBuilder sent = new StringBuilder();
    private String heldBack = "";
    private int known;

    /**
     * @param kind the update that carries it
     */
    AcpStreamed(String kind) {
        this.kind = kind;
    }

    /**
     * More of it. Half a surrogate pair waits for the other half, alone it would be lost; and blanks wait for something to see,
     * since of an attempt that breaks off before there is any, the log keeps no message.
     */
    void delta(String more, Consumer<JsonObject> client) {
        String whole = heldBack + more;
        int end = whole.length();
        if (sent.isEmpty() && whole.isBlank()) {
            end = 0;
        } else if (end > 0 && Character.isHighSurrogate(whole.charAt(end - 1))) {
            end--;
        }
        heldBack = whole.substring(end);
        send(whole.substring(0, end), client);
    }

    /**
     * The whole text comes now, in parts, with what was held back of it. One that does not begin with what was streamed is not
     * said again either.
     */
    void begin(String whole) {
        known = whole.startsWith(sent.toString()) ? sent.length() : Math.max(sent.length(), whole.length());
    }

    void part(String part, Consumer<JsonObject> client) {
        int skipped = Math.min(known, part.length());
        known -= skipped;
        send(part.substring(skipped), client);
    }

    /** Nothing was said yet. */
    void reset() {
        heldBack = "";
        sent.setLength(0);
    }

    private void send(String text, Consumer<JsonObject> client) {
        if (!text.isEmpty()) {
            sent.append(text);
            client.accept(AcpUpdates.chunk(kind, AcpContent.text(text)));
        }
    }
}
