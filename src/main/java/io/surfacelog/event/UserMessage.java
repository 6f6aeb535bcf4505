package io.surfacelog.event;

/**
 * What a user, or something in the place of one, says to the model. Its data is the message itself.
 *
 * <pre>{@code
 * UserMessage.of("Where is my parcel?");
 * }</pre>
 *
 * @param json the message
 */
public record UserMessage(JsonObject json) implements SurfacePayload {

    public UserMessage {
        PayloadRules.checkUserMessage(json);
    }

    /** A message of one text block with a new random id and the source kind {@code user}. */
    public static UserMessage of(String text) {
        return of(Message.user(MessageSource.ofKind("user"), TextBlock.of(text)));
    }

    /**
     * This message.
     *
     * @throws AdmissionException {@code message.*} if it has another role than {@code user} or lacks a member
     */
    public static UserMessage of(Message message) {
        return new UserMessage(message.json());
    }

    @Override
    public Message message() {
        return Message.of(json);
    }

    @Override
    public String type() {
        return EventType.USER_MESSAGE;
    }
}
