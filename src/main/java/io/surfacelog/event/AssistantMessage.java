package io.surfacelog.event;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the model answered in one step. A message with empty content is a node of the surface but derives no message.
 *
 * @param json the data, with the {@code message} of role {@code assistant}
 */
public record AssistantMessage(JsonObject json) implements SurfacePayload {

    public AssistantMessage {
        PayloadRules.checkAssistantMessage(json);
    }

    public static AssistantMessage of(long turn, long step, Message message) {
        return new AssistantMessage(JsonObject.builder()
                .put("turn", turn)
                .put("step", step)
                .put("message", message.json())
                .build());
    }

    /** The same with the tokens the call used. */
    public AssistantMessage withUsage(Usage usage) {
        return new AssistantMessage(json.with("usage", usage.json()));
    }

    /** The same, marked as cut off before the model had finished. */
    public AssistantMessage asInterrupted() {
        return new AssistantMessage(json.with("interrupted", JsonBoolean.TRUE));
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

    public Optional<Usage> usage() {
        return Shape.view(json.get("usage"), Usage::new);
    }

    public boolean interrupted() {
        return json.isTrue("interrupted");
    }

    @Override
    public String type() {
        return EventType.ASSISTANT_MESSAGE;
    }
}
