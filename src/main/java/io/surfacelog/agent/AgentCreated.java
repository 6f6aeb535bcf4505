package io.surfacelog.agent;

/**
 * An agent is live: its session exists, its lease is held, and it is registered. Each one is followed by one {@link
 * AgentDisposed}, also where a listener of this throws, which ends the agent.
 *
 * @param agent the agent
 */
public record AgentCreated(Agent agent) implements AgentNotification {}
