package io.surfacelog.cli;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Says JSON-RPC messages to the client, one a line and each at once. May be called by any thread; one that speaks to a client
 * that does not read waits for it.
 */
final class AcpOutput {

    private final OutputStream out;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    AcpOutput(OutputStream out) {
        this.out = out;
    }

    void respond(Json id, Json result) {
        send(JsonObject.builder()
                .put("jsonrpc", AcpMessage.VERSION)
                .put("id", id)
                .put("result", result)
                .build());
    }

    void fail(Json id, AcpException error) {
        send(JsonObject.builder()
                .put("jsonrpc", AcpMessage.VERSION)
                .put("id", id)
                .put("error", error.json())
                .build());
    }

    void update(String sessionId, JsonObject update) {
        send(JsonObject.builder()
                .put("jsonrpc", AcpMessage.VERSION)
                .put("method", "session/update")
                .put(
                        "params",
                        JsonObject.builder()
                                .put("sessionId", sessionId)
                                .put("update", update)
                                .build())
                .build());
    }

    /** Completes once nobody reads any more; what is said from then on is lost, but it stands in the log. */
    CompletableFuture<Void> gone() {
        return gone.copy();
    }

    private synchronized void send(JsonObject message) {
        if (gone.isDone()) {
            return;
        }
        try {
            out.write((text(message) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            gone.completeAsync(() -> null);
        }
    }

    /** Many a client refuses a whole message for one lone surrogate in it. */
    private static String text(JsonObject message) {
        String text = message.toText();
        return text.contains("\\ud") ? wellFormed(message).toText() : text;
    }

    private static Json wellFormed(Json json) {
        if (json instanceof JsonString string) {
            return JsonString.of(wellFormed(string.value()));
        }
        if (json instanceof JsonArray array) {
            return JsonArray.of(
                    array.items().stream().map(AcpOutput::wellFormed).toList());
        }
        if (json instanceof JsonObject object) {
            JsonObject.Builder copy = JsonObject.builder();
            object.forEach((name, value) -> copy.put(wellFormed(name), wellFormed(value)));
            return copy.build();
        }
        return json;
    }

    private static String wellFormed(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point -> out.appendCodePoint(
                        point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point));
        return out.toString();
    }
}
