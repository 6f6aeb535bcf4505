package io.surfacelog.agent;

/**
 * Something about a live agent that is not in the log. These five are all there are: what happened in a session — turns,
 * steps, messages, calls, chunks — is told by {@code session/event} alone.
 */
public sealed interface AgentNotification
        permits AgentCreated, AgentDisposed, AgentStatusChanged, AgentError, AgentQueued {

    /** The live agent. */
    Agent agent();
}
