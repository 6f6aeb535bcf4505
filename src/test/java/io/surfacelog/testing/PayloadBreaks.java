package io.surfacelog.testing;

import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The ways to break the data of an event that admission looks into. */
final class PayloadBreaks {

    private final List<Break> breaks = new ArrayList<>();

    private PayloadBreaks() {}

    /** Data that breaks this rule. */
    record Break(AdmissionRule rule, Json data, String what) {}

    static List<Break> of(String type, Json data) {
        PayloadBreaks all = new PayloadBreaks();
        switch (type) {
            case EventType.USER_MESSAGE, EventType.CONTEXT_MESSAGE, EventType.STEERING_MESSAGE ->
                all.message((JsonObject) data, null, "assistant");
            case EventType.ASSISTANT_MESSAGE -> all.assistant((JsonObject) data);
            case EventType.TOOL_RESULT -> all.toolResult((JsonObject) data);
            case EventType.TURN_START -> all.numbers((JsonObject) data, "turn");
            case EventType.STEP_START, EventType.STEP_END -> all.numbers((JsonObject) data, "turn", "step");
            case EventType.TURN_END -> all.turnEnd((JsonObject) data);
            case EventType.TOOL_CALL -> all.toolCall((JsonObject) data);
            case EventType.REQUEST_HEADER -> all.requestHeader((JsonObject) data);
            default -> {
                // opaque to admission
            }
        }
        return all.breaks;
    }

    private void add(AdmissionRule rule, Json data, String what) {
        breaks.add(new Break(rule, data, what));
    }

    /** Puts the message where the event has it: it is the data, or a member of it. */
    private static Json around(JsonObject message, JsonObject data) {
        return data == null ? message : data.with("message", message);
    }

    private void message(JsonObject message, JsonObject data, String otherRole) {
        Json none = data == null ? JsonNull.NULL : data.without("message");
        add(AdmissionRule.MESSAGE_ID, none, "no message");
        add(AdmissionRule.MESSAGE_ID, around(message.without("id"), data), "no id");
        add(AdmissionRule.MESSAGE_ID, around(message.with("id", Json.of("")), data), "empty id");
        add(AdmissionRule.MESSAGE_ROLE, around(message.without("role"), data), "no role");
        add(AdmissionRule.MESSAGE_ROLE, around(message.with("role", Json.of(otherRole)), data), "other role");
        add(AdmissionRule.MESSAGE_SOURCE, around(message.with("source", Json.of("user")), data), "source a string");
        add(AdmissionRule.MESSAGE_SOURCE, around(source(message, "kind", ""), data), "empty kind");
        add(AdmissionRule.MESSAGE_CONTENT, around(message.without("content"), data), "no content");
        add(AdmissionRule.MESSAGE_CONTENT, around(message.with("content", Json.of("hi")), data), "content a string");
    }

    private static JsonObject source(JsonObject message, String member, String value) {
        return message.with("source", message.object("source").orElseThrow().with(member, Json.of(value)));
    }

    private void assistant(JsonObject data) {
        JsonObject message = data.object("message").orElseThrow();
        message(message, data, "user");
        Json strings = JsonArray.of(List.of(Json.of("no object")));
        add(AdmissionRule.MESSAGE_CONTENT, around(message.with("content", strings), data), "a block that is no object");
        add(AdmissionRule.MESSAGE_MODEL_SOURCE, around(source(message, "kind", "user"), data), "kind user");
        add(AdmissionRule.MESSAGE_MODEL_SOURCE, around(source(message, "provider", ""), data), "no provider");
        add(AdmissionRule.MESSAGE_MODEL_SOURCE, around(source(message, "model", ""), data), "no model");
    }

    private void toolResult(JsonObject data) {
        JsonObject message = data.object("message").orElseThrow();
        message(message, data, "assistant");
        add(AdmissionRule.MESSAGE_TOOL_SOURCE, around(source(message, "kind", "user"), data), "kind user");
        add(AdmissionRule.MESSAGE_TOOL_SOURCE, around(source(message, "callId", ""), data), "empty callId");
        JsonObject block = (JsonObject) message.array("content").orElseThrow().get(0);
        for (JsonArray bad : List.of(
                JsonArray.EMPTY,
                JsonArray.of(List.of(block, block)),
                JsonArray.of(List.of(JsonNull.NULL)),
                JsonArray.of(List.of(block.with("type", Json.of("text")))),
                JsonArray.of(List.of(block.without("content"))))) {
            add(AdmissionRule.MESSAGE_TOOL_BLOCK, around(message.with("content", bad), data), "block " + bad.size());
        }
        JsonArray other = JsonArray.of(List.of(block.with("toolCallId", Json.of("another one"))));
        add(AdmissionRule.MESSAGE_TOOL_CALL_ID, around(message.with("content", other), data), "another call");
    }

    private void numbers(JsonObject data, String... names) {
        add(AdmissionRule.PAYLOAD_SHAPE, JsonArray.EMPTY, "no object");
        for (String name : names) {
            add(AdmissionRule.PAYLOAD_SHAPE, data.without(name), "no " + name);
            add(AdmissionRule.PAYLOAD_SHAPE, data.with(name, Json.of(0)), name + " 0");
            add(AdmissionRule.PAYLOAD_SHAPE, data.with(name, Json.of(1.5)), name + " 1.5");
            add(AdmissionRule.PAYLOAD_SHAPE, data.with(name, Json.of("1")), name + " a string");
        }
    }

    private void turnEnd(JsonObject data) {
        numbers(data, "turn");
        add(AdmissionRule.PAYLOAD_SHAPE, data.without("reason"), "no reason");
        add(AdmissionRule.PAYLOAD_SHAPE, data.with("reason", Json.of("completed")), "reason a string");
        add(AdmissionRule.PAYLOAD_SHAPE, data.with("reason", JsonObject.EMPTY), "no kind");
    }

    private void toolCall(JsonObject data) {
        for (String name : List.of("callId", "name", "arguments")) {
            add(AdmissionRule.PAYLOAD_SHAPE, data.without(name), "no " + name);
            add(AdmissionRule.PAYLOAD_SHAPE, data.with(name, JsonObject.EMPTY), name + " an object");
        }
    }

    private void requestHeader(JsonObject data) {
        JsonObject header = data.object("header").orElseThrow();
        JsonObject config = header.object("config").orElseThrow();
        add(AdmissionRule.LEGACY_HEADER_FALLBACK, data.with("reason", Json.of("fallback")), "fallback");
        add(AdmissionRule.REQHEADER_PROVIDER_MODEL, data.without("header"), "no header");
        JsonObject noModel = header.with("config", config.with("model", Json.of("")));
        add(AdmissionRule.REQHEADER_PROVIDER_MODEL, data.with("header", noModel), "empty model");
        JsonObject noEffort = header.with("config", config.with("reasoningEffort", Json.of("")));
        add(AdmissionRule.REQHEADER_REASONING_EFFORT, data.with("header", noEffort), "empty effort");
        JsonObject unmarked = JsonObject.builder().put("maxTokens", true).build();
        add(
                AdmissionRule.REQHEADER_ADAPTER_DEFAULTS,
                data.with("header", header.with("adapterDefaults", unmarked)),
                "a mark without a field");
    }
}
