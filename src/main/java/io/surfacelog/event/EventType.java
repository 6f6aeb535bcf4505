package io.surfacelog.event;

/** The types of events that Surfacelog itself gives a meaning to. */
public final class EventType {

    public static final String TURN_START = "turn/start";
    public static final String TURN_END = "turn/end";
    public static final String STEP_START = "step/start";
    public static final String STEP_END = "step/end";
    public static final String USER_MESSAGE = "user/message";
    public static final String CONTEXT_MESSAGE = "context/message";
    public static final String STEERING_MESSAGE = "steering/message";
    public static final String ASSISTANT_CHUNK = "assistant/chunk";
    public static final String ASSISTANT_MESSAGE = "assistant/message";
    public static final String TOOL_CALL = "tool/call";
    public static final String TOOL_RESULT = "tool/result";
    public static final String TODO_WRITE = "todo/write";
    public static final String REQUEST_HEADER = "request/header";
    public static final String REQUEST_CONTEXT = "request/context";
    public static final String SESSION_END_SEED = "session/end-seed";
    public static final String COMPACTION_START = "compaction/start";
    public static final String COMPACTION_SUMMARY = "compaction/summary";
    public static final String COMPACTION_PRUNE = "compaction/prune";
    public static final String COMPACTION_END = "compaction/end";
    public static final String LLM_RETRY = "llm/retry";

    private EventType() {}

    /** Whether events of this type join the surface and must declare how. */
    public static boolean isSurface(String type) {
        return switch (type) {
            case USER_MESSAGE, CONTEXT_MESSAGE, STEERING_MESSAGE, ASSISTANT_MESSAGE, TOOL_RESULT -> true;
            default -> false;
        };
    }
}
