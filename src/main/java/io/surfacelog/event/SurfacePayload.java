package io.surfacelog.event;

/** Data of an event that joins the surface and carries one message. */
public sealed interface SurfacePayload extends Payload
        permits UserMessage, ContextMessage, SteeringMessage, AssistantMessage, ToolResult {

    /** The message, as it will be derived while the event is on the surface. */
    Message message();

    @Override
    JsonObject json();
}
