package io.surfacelog.event;

/** Which record shows the data of which type. */
final class PayloadViews {

    private PayloadViews() {}

    static Payload view(String type, Json data) {
        if (!(data instanceof JsonObject json)) {
            return new OpaquePayload(type, data);
        }
        return switch (type) {
            case EventType.TURN_START -> new TurnStart(json);
            case EventType.TURN_END -> new TurnEnd(json);
            case EventType.STEP_START -> new StepStart(json);
            case EventType.STEP_END -> new StepEnd(json);
            case EventType.USER_MESSAGE -> new UserMessage(json);
            case EventType.CONTEXT_MESSAGE -> new ContextMessage(json);
            case EventType.STEERING_MESSAGE -> new SteeringMessage(json);
            case EventType.ASSISTANT_CHUNK -> new AssistantChunk(json);
            case EventType.ASSISTANT_MESSAGE -> new AssistantMessage(json);
            case EventType.TOOL_CALL -> new ToolCall(json);
            case EventType.TOOL_RESULT -> new ToolResult(json);
            case EventType.TODO_WRITE -> new TodoWrite(json);
            case EventType.REQUEST_HEADER -> new RequestHeader(json);
            case EventType.REQUEST_CONTEXT -> new RequestContext(json);
            case EventType.SESSION_END_SEED -> new SessionEndSeed(json);
            case EventType.COMPACTION_START -> new CompactionStart(json);
            case EventType.COMPACTION_SUMMARY -> new CompactionSummary(json);
            case EventType.COMPACTION_PRUNE -> new CompactionPrune(json);
            case EventType.COMPACTION_END -> new CompactionEnd(json);
            default -> new OpaquePayload(type, data);
        };
    }
}
