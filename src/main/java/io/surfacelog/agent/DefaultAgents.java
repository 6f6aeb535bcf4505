package io.surfacelog.agent;

import io.surfacelog.command.DriverLease;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The registry: an id is taken first, then its agent is made, then it is announced. */
final class DefaultAgents implements Agents {

    private final SessionCommands commands;
    private final SessionQueries queries;
    private final AgentHooks hooks;
    private final Notifications notifications;
    private final AgentThreads threads;
    private final Set<SessionId> taken = ConcurrentHashMap.newKeySet();
    private final Map<SessionId, DefaultAgent> live = new ConcurrentHashMap<>();
    private volatile boolean closed;

    DefaultAgents(SessionCommands commands, SessionQueries queries, AgentHooks hooks, int maxToolRuns) {
        if (maxToolRuns < 1) {
            throw new IllegalArgumentException("expected at least 1 tool run at once, found " + maxToolRuns);
        }
        this.commands = commands;
        this.queries = queries;
        this.hooks = hooks;
        this.notifications = new Notifications(hooks.listeners());
        this.threads = new AgentThreads(maxToolRuns);
    }

    @Override
    public Agent create(SessionHeader header, AgentProfile profile) {
        expectOpen();
        return resume(commands.create(header), profile);
    }

    @Override
    public Agent resume(SessionId session, AgentProfile profile) {
        expectOpen();
        if (!taken.add(session)) {
            throw new AgentLiveException(session);
        }
        DefaultAgent agent = null;
        try {
            agent = prepare(session, profile);
        } finally {
            if (agent == null) {
                taken.remove(session);
            }
        }
        return announce(agent);
    }

    private DefaultAgent prepare(SessionId session, AgentProfile profile) {
        DriverLease driver = commands.drive(session);
        try {
            DefaultAgent agent = new DefaultAgent(driver, queries, profile, hooks, notifications, threads, this::ended);
            live.put(session, agent);
            return agent;
        } catch (Throwable e) {
            driver.close();
            throw e;
        }
    }

    private Agent announce(DefaultAgent agent) {
        boolean announced = false;
        try {
            notifications.announce(new AgentCreated(agent));
            announced = true;
        } finally {
            if (!announced || closed) {
                agent.close();
            }
        }
        expectOpen();
        return agent;
    }

    private void ended(DefaultAgent agent) {
        if (agent.isDisturbed()) {
            closeLastTurn(agent);
        }
        live.remove(agent.id());
        taken.remove(agent.id());
    }

    /** Its driver is gone as after a crash, but here there is somebody left to recover what is open. */
    private void closeLastTurn(DefaultAgent agent) {
        try {
            commands.recover(agent.id());
        } catch (RuntimeException e) {
            notifications.send(new AgentError(agent, e));
        }
    }

    private void expectOpen() {
        if (closed) {
            throw new IllegalStateException("the registry of agents is closed: it makes no more agents");
        }
    }

    @Override
    public Optional<Agent> find(SessionId session) {
        return Optional.ofNullable(live.get(session));
    }

    @Override
    public List<Agent> live() {
        return List.copyOf(live.values());
    }

    @Override
    public void close() {
        closed = true;
        List<DefaultAgent> all = List.copyOf(live.values());
        all.forEach(DefaultAgent::beginToEnd); // side by side, since each waits for its own model and tools
        all.forEach(DefaultAgent::close);
        threads.close();
    }
}
