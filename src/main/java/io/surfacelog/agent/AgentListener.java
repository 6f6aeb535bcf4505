package io.surfacelog.agent;

/**
 * Hears of live agents. In a Spring application every notification is an application event too: {@code @EventListener
 * void on(AgentCreated created)}.
 *
 * <p>Called on the thread that caused it, one after the other for one agent's status, and has to be quick. What it throws is
 * logged; only for {@link AgentCreated} it ends the agent and reaches the creator.
 */
@FunctionalInterface
public interface AgentListener {

    void onNotification(AgentNotification notification);
}
