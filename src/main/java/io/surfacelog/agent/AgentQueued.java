package io.surfacelog.agent;

/**
 * The queue of an agent's input has changed.
 *
 * @param agent the agent
 * @param change what became of the input
 * @param input the input
 */
public record AgentQueued(Agent agent, Change change, QueuedInput input) implements AgentNotification {

    /** What became of an input. */
    public enum Change {
        /** It waits. */
        INSERTED,
        /** A turn has taken it. */
        CLAIMED,
        /** It was taken back, or the agent ended. */
        DISCARDED
    }
}
