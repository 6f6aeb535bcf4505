package io.surfacelog.agent;

/**
 * An agent has ended: its loop is quiet, its last events are committed, and it is no longer registered.
 *
 * @param agent the agent
 */
public record AgentDisposed(Agent agent) implements AgentNotification {}
