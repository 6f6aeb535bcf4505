package io.surfacelog.event;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a tool run came to. Its message holds exactly one {@code tool-result} block; a replacing tool result may change
 * nothing but the content of that block.
 *
 * @param json the data, with the {@code message} of source kind {@code tool}
 */
public record ToolResult(JsonObject json) implements SurfacePayload {

    public ToolResult {
        PayloadRules.checkToolResult(json);
    }

    public static ToolResult of(long turn, long step, Message message) {
        return new ToolResult(JsonObject.builder()
                .put("turn", turn)
                .put("step", step)
                .put("message", message.json())
                .build());
    }

    /** A result of one block, in a message with a new random id. */
    public static ToolResult of(long turn, long step, ToolResultBlock block) {
        return of(turn, step, Message.toolResult(block));
    }

    /** The same with the error that the run ended in. */
    public ToolResult withError(ToolError error) {
        return new ToolResult(json.with("error", error.json()));
    }

    /** The same result with other content, as a replacing event must have it: all else stays equal. */
    public ToolResult withContent(JsonArray content) {
        JsonObject message = json.object("message").orElseThrow();
        JsonObject block = block().json().with("content", content);
        return new ToolResult(json.with("message", message.with("content", new JsonArray(java.util.List.of(block)))));
    }

    /** The turn, empty where it was not recorded. */
    public OptionalLong turn() {
        return json.longValue("turn");
    }

    /** The step, empty where it was not recorded. */
    public OptionalLong step() {
        return json.longValue("step");
    }

    @Override
    public Message message() {
        return Message.of(json.object("message").orElseThrow());
    }

    /** The one block of the message. */
    public ToolResultBlock block() {
        return (ToolResultBlock) message().content().get(0);
    }

    /** The call this answers. */
    public String callId() {
        return block().toolCallId();
    }

    public Optional<ToolError> error() {
        return Shape.view(json.get("error"), ToolError::of);
    }

    /** What the tool recorded besides, null if nothing. */
    public @Nullable Json meta() {
        return json.get("meta");
    }

    @Override
    public String type() {
        return EventType.TOOL_RESULT;
    }
}
