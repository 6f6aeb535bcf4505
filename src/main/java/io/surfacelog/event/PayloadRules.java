package io.surfacelog.event;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules for data that admission checks (format, section 4, step 3); all other data passes as it is. */
public final class PayloadRules {

    private PayloadRules() {}

    /**
     * Checks the data of an event of this type; data of other types is not even parsed.
     *
     * @throws AdmissionException with the first rule broken, without a place
     */
    public static void check(String type, JsonText data) {
        switch (type) {
            case EventType.REQUEST_HEADER -> checkRequestHeader(data.value());
            case EventType.USER_MESSAGE, EventType.CONTEXT_MESSAGE, EventType.STEERING_MESSAGE ->
                checkUserMessage(data.value());
            case EventType.ASSISTANT_MESSAGE -> checkAssistantMessage(data.value());
            case EventType.TOOL_RESULT -> checkToolResult(data.value());
            case EventType.TURN_START -> Shape.integer(Shape.object(data.value(), "data"), "turn", 1);
            case EventType.TURN_END -> {
                JsonObject json = Shape.object(data.value(), "data");
                Shape.integer(json, "turn", 1);
                Shape.text(Shape.object(json, "reason"), "kind");
            }
            case EventType.STEP_START, EventType.STEP_END -> {
                JsonObject json = Shape.object(data.value(), "data");
                Shape.integer(json, "turn", 1);
                Shape.integer(json, "step", 1);
            }
            case EventType.TOOL_CALL -> checkToolCall(Shape.object(data.value(), "data"));
            default -> {
                // opaque: stored as it is
            }
        }
    }

    static void checkToolCall(JsonObject json) {
        Shape.text(json, "callId");
        Shape.text(json, "name");
        Shape.text(json, "arguments");
    }

    static void checkRequestHeader(Json data) {
        JsonObject json = data instanceof JsonObject object ? object : JsonObject.EMPTY;
        if (json.string("reason").filter("fallback"::equals).isPresent()) {
            throw new AdmissionException(
                    AdmissionRule.LEGACY_HEADER_FALLBACK,
                    "expected the reason initial, resume or change, found the retired \"fallback\"");
        }
        JsonObject header = json.object("header").orElse(JsonObject.EMPTY);
        JsonObject config = header.object("config").orElse(JsonObject.EMPTY);
        for (String name : new String[] {"provider", "model"}) {
            if (isBlankString(config.get(name))) {
                throw new AdmissionException(
                        AdmissionRule.REQHEADER_PROVIDER_MODEL,
                        "expected header.config." + name + " to be a non-empty string, found "
                                + Shape.found(config.get(name)));
            }
        }
        Json effort = config.get("reasoningEffort");
        if (effort != null && isBlankString(effort)) {
            throw new AdmissionException(
                    AdmissionRule.REQHEADER_REASONING_EFFORT,
                    "expected header.config.reasoningEffort to be absent or a non-empty string, found "
                            + Shape.found(effort));
        }
        Json defaults = header.get("adapterDefaults");
        if (defaults != null) {
            checkAdapterDefaults(defaults, config);
        }
    }

    private static void checkAdapterDefaults(Json defaults, JsonObject config) {
        if (!(defaults instanceof JsonObject object)) {
            throw new AdmissionException(
                    AdmissionRule.REQHEADER_ADAPTER_DEFAULTS,
                    "expected header.adapterDefaults to be an object, found " + Shape.found(defaults));
        }
        object.forEach((name, value) -> {
            boolean known = name.equals("reasoningEffort") || name.equals("maxTokens");
            if (!known || value != JsonBoolean.TRUE || !config.has(name)) {
                throw new AdmissionException(
                        AdmissionRule.REQHEADER_ADAPTER_DEFAULTS,
                        "expected header.adapterDefaults to mark reasoningEffort or maxTokens as true where"
                                + " header.config has it, found " + JsonString.of(name) + ": " + Shape.found(value));
            }
        });
    }

    static void checkUserMessage(Json data) {
        checkMessage(data, Message.USER);
    }

    static void checkAssistantMessage(Json data) {
        JsonObject message = checkMessage(messageOf(data), Message.ASSISTANT);
        JsonObject source = source(message);
        if (!source.string("kind").filter(MessageSource.MODEL::equals).isPresent()
                || isBlankString(source.get("provider"))
                || isBlankString(source.get("model"))) {
            throw new AdmissionException(
                    AdmissionRule.MESSAGE_MODEL_SOURCE,
                    "expected a source of kind model with a non-empty provider and model, found "
                            + JsonReader.abridged(source.toText()));
        }
    }

    static void checkToolResult(Json data) {
        JsonObject message = checkEnvelope(messageOf(data), Message.USER);
        JsonArray content = contentArray(message);
        JsonObject source = source(message);
        if (!source.string("kind").filter(MessageSource.TOOL::equals).isPresent()
                || isBlankString(source.get("callId"))) {
            throw new AdmissionException(
                    AdmissionRule.MESSAGE_TOOL_SOURCE,
                    "expected a source of kind tool with a non-empty callId, found "
                            + JsonReader.abridged(source.toText()));
        }
        if (content.size() != 1
                || !(content.get(0) instanceof JsonObject block)
                || !block.string("type").filter(ToolResultBlock.TYPE::equals).isPresent()
                || !(block.get("content") instanceof JsonArray)) {
            throw new AdmissionException(
                    AdmissionRule.MESSAGE_TOOL_BLOCK,
                    "expected exactly one tool-result block with an array as its content, found "
                            + JsonReader.abridged(content.toText()));
        }
        Optional<String> callId = source.string("callId");
        if (!block.string("toolCallId").equals(callId)) {
            throw new AdmissionException(
                    AdmissionRule.MESSAGE_TOOL_CALL_ID,
                    "expected the block's toolCallId to equal source.callId "
                            + callId.map(JsonString::of).orElseThrow() + ", found "
                            + Shape.found(block.get("toolCallId")));
        }
    }

    /** Whether such assistant data derives no message, because its content is empty. */
    public static boolean hasEmptyContent(Json assistantData) {
        return messageOf(assistantData) instanceof JsonObject message
                && message.get("content") instanceof JsonArray content
                && content.size() == 0;
    }

    static void checkMessageShape(JsonObject message) {
        checkEnvelope(message, null);
        checkBlocks(contentArray(message));
    }

    private static JsonObject checkMessage(@Nullable Json json, String role) {
        JsonObject message = checkEnvelope(json, role);
        checkBlocks(contentArray(message));
        return message;
    }

    private static JsonObject checkEnvelope(@Nullable Json json, @Nullable String role) {
        if (!(json instanceof JsonObject message) || isBlankString(message.get("id"))) {
            throw new AdmissionException(
                    AdmissionRule.MESSAGE_ID,
                    "expected a message with a non-empty string id, found " + Shape.found(json));
        }
        String found = message.string("role").orElse(null);
        if (role == null ? found == null : !role.equals(found)) {
            throw new AdmissionException(
                    AdmissionRule.MESSAGE_ROLE,
                    "expected the role " + (role == null ? "to be a string" : role) + ", found "
                            + Shape.found(message.get("role")));
        }
        if (!(message.get("source") instanceof JsonObject source) || isBlankString(source.get("kind"))) {
            throw new AdmissionException(
                    AdmissionRule.MESSAGE_SOURCE,
                    "expected a source with a non-empty string kind, found " + Shape.found(message.get("source")));
        }
        return message;
    }

    private static JsonArray contentArray(JsonObject message) {
        if (message.get("content") instanceof JsonArray content) {
            return content;
        }
        throw new AdmissionException(
                AdmissionRule.MESSAGE_CONTENT,
                "expected content to be an array, found " + Shape.found(message.get("content")));
    }

    private static void checkBlocks(JsonArray content) {
        for (int i = 0; i < content.size(); i++) {
            if (!(content.get(i) instanceof JsonObject)) {
                throw new AdmissionException(
                        AdmissionRule.MESSAGE_CONTENT,
                        "expected every content block to be an object, found " + Shape.found(content.get(i))
                                + " at index " + i);
            }
        }
    }

    private static @Nullable Json messageOf(Json data) {
        return data instanceof JsonObject object ? object.get("message") : null;
    }

    private static JsonObject source(JsonObject message) {
        return message.object("source").orElseThrow();
    }

    private static boolean isBlankString(@Nullable Json json) {
        return !(json instanceof JsonString string) || string.value().isEmpty();
    }
}
