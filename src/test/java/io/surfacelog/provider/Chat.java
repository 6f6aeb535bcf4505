package io.surfacelog.provider;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Messages for examples, and what they come to. */
final class Chat {

    private Chat() {}

    static Message user(String text) {
        return Message.user(MessageSource.ofKind("user"), TextBlock.of(text));
    }

    static Message user(ContentBlock... blocks) {
        return Message.user(MessageSource.ofKind("user"), blocks);
    }

    static Message assistant(ContentBlock... blocks) {
        return Message.assistant("acme", "m-1", blocks);
    }

    static TextBlock text(String text) {
        return TextBlock.of(text);
    }

    static ToolCallBlock call(String id) {
        return ToolCallBlock.of(id, "read", "{}");
    }

    static Message result(String id, String text) {
        return Message.toolResult(ToolResultBlock.of(id, text));
    }

    /** What recovery writes for a call. */
    static Message closer(String id, String text) {
        return Message.of(
                "interrupted-tool-result-" + id + "-7",
                Message.USER,
                MessageSource.tool(id),
                List.of(ToolResultBlock.error(id, text)));
    }

    static Optional<RequestHeader> header(String json) {
        return Optional.of(RequestHeader.of((JsonObject) Json.parse(json), RequestHeader.INITIAL));
    }

    static Optional<RequestHeader> header() {
        return header("{\"config\":{\"provider\":\"acme\",\"model\":\"m-1\",\"maxTokens\":99}}");
    }

    /** The request, which its provider must accept. */
    static RenderedRequest render(Provider provider, Message... messages) {
        return ProviderAssertions.sound(provider, header(), List.of(messages));
    }

    static JsonArray messages(RenderedRequest request) {
        return request.body().array("messages").orElseThrow();
    }

    /** The message at this index. */
    static JsonObject message(RenderedRequest request, int index) {
        return (JsonObject) messages(request).get(index);
    }

    /** The codes of the adjustments with the messages they concern. */
    static List<String> rules(RenderedRequest request) {
        return request.adjustments().stream()
                .map(adjustment -> adjustment.rule() + "@" + adjustment.message())
                .toList();
    }

    /** Role, call id and text of each message of a chat completion. */
    static List<String> lines(RenderedRequest request) {
        JsonArray messages = messages(request);
        return IntStream.range(0, messages.size())
                .mapToObj(i -> (JsonObject) messages.get(i))
                .map(message -> message.string("role").orElseThrow()
                        + message.string("tool_call_id").map(id -> " " + id).orElse("")
                        + ": "
                        + message.string("content").orElseGet(() -> String.valueOf(message.get("content"))))
                .toList();
    }
}
