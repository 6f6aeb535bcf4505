package io.surfacelog.agent;

/**
 * An agent began to run turns, or has come to rest. Sent only on change.
 *
 * @param agent the agent
 * @param status what it is doing now
 */
public record AgentStatusChanged(Agent agent, AgentStatus status) implements AgentNotification {}
