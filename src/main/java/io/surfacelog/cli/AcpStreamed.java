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

    /** More of it. Half a surrogate pair waits for the other half: alone it would be lost. */
    void delta(String more, Consumer<JsonObject> client) {
        String whole = heldBack + more;
        boolean cut = !whole.isEmpty() && Character.isHighSurrogate(whole.charAt(whole.length() - 1));
        heldBack = cut ? whole.substring(whole.length() - 1) : "";
        send(cut ? whole.substring(0, whole.length() - 1) : whole, client);
    }

    /** No more of it is streamed. */
    void flush(Consumer<JsonObject> client) {
        String last = heldBack;
        heldBack = "";
        send(last, client);
    }

    /** The whole text comes now, in parts; one that does not begin with what was streamed is not said again either. */
    void begin(String whole) {
        known = whole.startsWith(sent.toString()) ? sent.length() : Math.max(sent.length(), whole.length());
    }

    void part(String part, Consumer<JsonObject> client) {
        int skipped = Math.min(known, part.length());
        known -= skipped;
        send(part.substring(skipped), client);
    }

    /** Nothing was said yet. */
    void reset(Consumer<JsonObject> client) {
        flush(client);
        sent.setLength(0);
    }

    private void send(String text, Consumer<JsonObject> client) {
        if (!text.isEmpty()) {
            sent.append(text);
            client.accept(AcpUpdates.chunk(kind, AcpContent.text(text)));
        }
    }
}
