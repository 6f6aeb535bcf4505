package io.surfacelog.agent;

import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import java.util.List;
import java.util.Optional;

/**
 * The live agents of this process, by the ids they share with their sessions. Inject it.
 *
 * <pre>{@code
 * try (Agent agent = agents.create(SessionHeader.builder().cwd("/srv/app").build(), profile)) {
 *     agent.followUp("Where is my parcel?").outcome().join();
 * }
 * try (Agent again = agents.resume(id, profile)) { // in another process, or after a crash
 *     again.followUp("And the refund?").outcome().join();
 * }
 * }</pre>
 *
 * <p>All methods may be called by any thread.
 */
public interface Agents extends AutoCloseable {

    /**
     * Agents over these commands and queries.
     *
     * @param hooks what acts on all of them
     * @param maxToolRuns how many tools may run at once, over all agents, from 1
     */
    static Agents of(SessionCommands commands, SessionQueries queries, AgentHooks hooks, int maxToolRuns) {
        return new DefaultAgents(commands, queries, hooks, maxToolRuns);
    }

    /**
     * Creates a session and an agent for it: the session is stored and its lease taken, then the agent is announced by {@link
     * AgentCreated}. A listener that throws then ends the agent, {@link AgentDisposed} included, and reaches the caller; the
     * session stays.
     */
    Agent create(SessionHeader header, AgentProfile profile);

    /**
     * Makes an agent for a session that exists: a crash is recovered from, and turns and request headers go on where the log
     * stands. Announced as there.
     *
     * @throws AgentLiveException if this process has one for it
     * @throws io.surfacelog.command.LeaseHeldException if another process drives the session
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     */
    Agent resume(SessionId session, AgentProfile profile);

    /** The live agent of this session. */
    Optional<Agent> find(SessionId session);

    /** All live agents, in no order. */
    List<Agent> live();

    /** Disposes of all agents, as {@link Agent#close} does, and makes no more. */
    @Override
    void close();
}
