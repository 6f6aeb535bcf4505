package io.surfacelog.event;

import java.util.OptionalLong;

/**
 * A tool run begins.
 *
 * @param json the data, with the strings {@code callId}, {@code name} and {@code arguments}
 */
public record ToolCall(JsonObject json) implements LogOnlyPayload {

    public ToolCall {
        PayloadRules.checkToolCall(json);
    }

    /** A run of the tool; arguments is the raw text the model produced. */
    public static ToolCall of(long turn, long step, String callId, String name, String arguments) {
        return new ToolCall(JsonObject.builder()
                .put("turn", turn)
                .put("step", step)
                .put("callId", callId)
                .put("name", name)
                .put("arguments", arguments)
                .build());
    }

    public static ToolCall of(long turn, long step, ToolCallBlock call) {
        return of(turn, step, call.id(), call.name(), call.arguments());
    }

    /** The turn, empty where it was not recorded. */
    public OptionalLong turn() {
        return json.longValue("turn");
    }

    /** The step, empty where it was not recorded. */
    public OptionalLong step() {
        return json.longValue("step");
    }

    public String callId() {
        return Shape.text(json, "callId");
    }

    public String name() {
        return Shape.text(json, "name");
    }

    /** The raw text the model produced, which need not be JSON. */
    public String arguments() {
        return Shape.text(json, "arguments");
    }

    @Override
    public String type() {
        return EventType.TOOL_CALL;
    }
}
