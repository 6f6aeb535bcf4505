package io.surfacelog.event;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message of the model's context: id, role, source and content, plus whatever else its producer put there, kept
 * verbatim. A view of JSON; equal when the JSON values are. Safe for use by several threads.
 *
 * <pre>{@code
 * Message message = Message.user(MessageSource.ofKind("user"), TextBlock.of("Where is my parcel?"));
 * message.text(); // "Where is my parcel?"
 * }</pre>
 */
public final class Message {

    public static final String USER = "user";
    public static final String ASSISTANT = "assistant";

    private final JsonObject json;
    private @Nullable List<ContentBlock> content;

    private Message(JsonObject json) {
        this.json = json;
    }

    /**
     * The message of this JSON.
     *
     * @throws AdmissionException {@code message.id}, {@code message.role}, {@code message.source} or {@code
     *     message.content} if one of these members is missing or of another type
     */
    public static Message of(JsonObject json) {
        PayloadRules.checkMessageShape(json);
        return new Message(json);
    }

    /** A message of role {@code user} with a new random id. */
    public static Message user(MessageSource source, ContentBlock... content) {
        return of(UUID.randomUUID().toString(), USER, source, List.of(content));
    }

    /** A message of role {@code assistant} with a new random id, from this provider and model. */
    public static Message assistant(String provider, String model, ContentBlock... content) {
        return of(UUID.randomUUID().toString(), ASSISTANT, MessageSource.model(provider, model), List.of(content));
    }

    /** The message that carries the result of one tool call to the model, with a new random id. */
    public static Message toolResult(ToolResultBlock result) {
        return of(UUID.randomUUID().toString(), USER, MessageSource.tool(result.toolCallId()), List.of(result));
    }

    public static Message of(String id, String role, MessageSource source, List<? extends ContentBlock> content) {
        return of(JsonObject.builder()
                .put("id", id)
                .put("role", role)
                .put("source", source.json())
                .put(
                        "content",
                        JsonArray.of(content.stream().map(ContentBlock::json).toList()))
                .build());
    }

    /** The whole message, extra members included. */
    public JsonObject json() {
        return json;
    }

    public String id() {
        return json.string("id").orElseThrow();
    }

    /** {@link #USER} or {@link #ASSISTANT}. */
    public String role() {
        return json.string("role").orElseThrow();
    }

    public MessageSource source() {
        return new MessageSource(json.object("source").orElseThrow());
    }

    /** The content blocks, in order; unmodifiable. Cost: O(blocks) the first time, O(1) after. */
    public List<ContentBlock> content() {
        List<ContentBlock> known = content;
        if (known == null) {
            List<ContentBlock> blocks = new ArrayList<>();
            for (Json item : json.array("content").orElseThrow().items()) {
                blocks.add(ContentBlock.of((JsonObject) item));
            }
            known = List.copyOf(blocks);
            content = known;
        }
        return known;
    }

    /** The text blocks, one after the other. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (ContentBlock block : content()) {
            if (block instanceof TextBlock textBlock) {
                text.append(textBlock.text());
            }
        }
        return text.toString();
    }

    /** The tool calls the message asks for, in order. */
    public List<ToolCallBlock> toolCalls() {
        return content().stream()
                .filter(ToolCallBlock.class::isInstance)
                .map(ToolCallBlock.class::cast)
                .toList();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Message that && json.equals(that.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json.toText();
    }
}
