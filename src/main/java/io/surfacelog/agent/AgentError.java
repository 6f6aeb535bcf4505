package io.surfacelog.agent;

/**
 * Something failed that the log may not tell of: the log itself could not be written, or a hook threw.
 *
 * @param agent the agent
 * @param failure what was thrown
 */
public record AgentError(Agent agent, Throwable failure) implements AgentNotification {}
