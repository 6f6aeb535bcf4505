package io.surfacelog.event;

/**
 * A remark that reaches the model while it works. Its data is the message itself.
 *
 * <pre>{@code
 * SteeringMessage.of("Only look at this year's orders.");
 * }</pre>
 *
 * @param json the message
 */
public record SteeringMessage(JsonObject json) implements SurfacePayload {

    public SteeringMessage {
        PayloadRules.checkUserMessage(json);
    }

    /** A message of one text block with a new random id and the source kind {@code steering}. */
    public static SteeringMessage of(String text) {
        return of(Message.user(MessageSource.ofKind("steering"), TextBlock.of(text)));
    }

    /**
     * This message.
     *
     * @throws AdmissionException {@code message.*} if it has another role than {@code user} or lacks a member
     */
    public static SteeringMessage of(Message message) {
        return new SteeringMessage(message.json());
    }

    @Override
    public Message message() {
        return Message.of(json);
    }

    @Override
    public String type() {
        return EventType.STEERING_MESSAGE;
    }
}
