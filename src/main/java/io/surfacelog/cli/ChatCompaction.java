package io.surfacelog.cli;

import io.surfacelog.agent.Agent;

/** What {@code /compact} calls. */
@FunctionalInterface
interface ChatCompaction {

    /**
     * Compacts the session of this agent.
     *
     * @return what became of it, in a sentence
     */
    String compact(Agent agent);
}
