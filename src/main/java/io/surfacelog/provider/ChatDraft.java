package io.surfacelog.provider;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A message of a chat completion while it is being put together. */
final class ChatDraft {

    final String role;
    final List<Piece> pieces = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();
    final List<String> reasoning = new ArrayList<>();

    /** The derived messages whose reasoning this holds. */
    final TreeSet<Integer> reasoners = new TreeSet<>();

    /** Whether reasoning goes back here, even where there is none. */
    boolean withReasoning;

    @Nullable
    String callId;

    ChatDraft(String role) {
        this.role = role;
    }

    JsonObject json() {
        JsonObject.Builder json = JsonObject.builder().put("role", role);
        if (callId != null) {
            json.put("tool_call_id", callId);
        }
        json.put("content", content());
        if (withReasoning) {
            json.put("reasoning_content", String.join("\n\n", reasoning));
        }
        if (!calls.isEmpty()) {
            json.put(
                    "tool_calls",
                    JsonArray.of(calls.stream().map(ChatDraft::call).toList()));
        }
        return json.build();
    }

    /** A string wherever it will do: not every server that speaks this takes parts. */
    private Json content() {
        if (pieces.isEmpty()) {
            return JsonNull.NULL;
        }
        if (pieces.stream().allMatch(Piece.Text.class::isInstance)) {
            return JsonString.of(Pieces.text(pieces));
        }
        return JsonArray.of(pieces.stream().map(ChatDraft::part).toList());
    }

    private static Json part(Piece piece) {
        if (piece instanceof Piece.Text text) {
            return JsonObject.builder()
                    .put("type", "text")
                    .put("text", text.text())
                    .build();
        }
        ImageSource source = ((Piece.Image) piece).source();
        String url = source instanceof ImageSource.Inline inline ? inline.url() : ((ImageSource.Remote) source).url();
        return JsonObject.builder()
                .put("type", "image_url")
                .put("image_url", JsonObject.builder().put("url", url).build())
                .build();
    }

    private static Json call(Call call) {
        return JsonObject.builder()
                .put("id", call.id())
                .put("type", "function")
                .put(
                        "function",
                        JsonObject.builder()
                                .put("name", call.name())
                                .put("arguments", call.arguments().text())
                                .build())
                .build();
    }
}
