package io.surfacelog.event;

/**
 * Context the model should know: files, instructions, notices. Its data is the message itself.
 *
 * <pre>{@code
 * ContextMessage.of("The working directory is /srv/app.");
 * }</pre>
 *
 * @param json the message
 */
public record ContextMessage(JsonObject json) implements SurfacePayload {

    public ContextMessage {
        PayloadRules.checkUserMessage(json);
    }

    /** A message of one text block with a new random id and the source kind {@code context}. */
    public static ContextMessage of(String text) {
        return of(Message.user(MessageSource.ofKind("context"), TextBlock.of(text)));
    }

    /**
     * This message.
     *
     * @throws AdmissionException {@code message.*} if it has another role than {@code user} or lacks a member
     */
    public static ContextMessage of(Message message) {
        return new ContextMessage(message.json());
    }

    @Override
    public Message message() {
        return Message.of(json);
    }

    @Override
    public String type() {
        return EventType.CONTEXT_MESSAGE;
    }
}
