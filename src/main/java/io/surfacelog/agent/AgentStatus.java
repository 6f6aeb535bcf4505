package io.surfacelog.agent;

/** What a live agent is doing. */
public enum AgentStatus {
    /** It waits for input. */
    IDLE,
    /** It runs turns. */
    RUNNING
}
