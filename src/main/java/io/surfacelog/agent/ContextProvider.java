package io.surfacelog.agent;

import io.surfacelog.projection.SessionQueries;
import java.util.List;

/**
 * Gives what a model should know of its workspace. Register one as a bean; each is asked before every step, on the thread of
 * the loop. What is on the surface already is not appended again, so it may give the same each time.
 *
 * <pre>{@code
 * @Bean
 * ContextProvider instructions() {
 *     return FileContext.of("AGENTS.md");
 * }
 * }</pre>
 */
@FunctionalInterface
public interface ContextProvider {

    /**
     * What the model should know now, in the order it is to be told. What it throws ends the turn with an error.
     *
     * @param agent the agent
     * @param queries where its session stands
     */
    List<ContextItem> items(Agent agent, SessionQueries queries);
}
