package io.surfacelog.cli;

import io.surfacelog.agent.Agent;
import io.surfacelog.agent.AgentDisposedException;
import io.surfacelog.agent.AgentProfile;
import io.surfacelog.agent.Agents;
import io.surfacelog.cli.AcpException.Code;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacelogException;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.stream.SessionStream;
import io.surfacelog.surface.TranscriptEntry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The methods of the protocol, over the agents of this process. {@link #accept} is for one thread, which it never keeps
 * waiting for a model, so that a cancellation comes through.
 */
final class AcpAgent implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AcpAgent.class);

    /** The only version there is of what is spoken here. */
    private static final long PROTOCOL_VERSION = 1;

    private static final long LAST_WORDS_SECONDS = 2;

    private final Agents agents;
    private final SessionQueries queries;
    private final SessionStream stream;
    private final AgentProfile profile;
    private final @Nullable AcpCompaction compaction;
    private final AcpOutput out;
    private final String version;
    private final Map<SessionId, AcpSession> sessions = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "acp-session");
        thread.setDaemon(true);
        return thread;
    });
    private boolean initialized;
    private volatile boolean closing;

    AcpAgent(
            Agents agents,
            SessionQueries queries,
            SessionStream stream,
            AgentProfile profile,
            @Nullable AcpCompaction compaction,
            AcpOutput out,
            String version) {
        this.agents = agents;
        this.queries = queries;
        this.stream = stream;
        this.profile = profile;
        this.compaction = compaction;
        this.out = out;
        this.version = version;
    }

    /** Takes one line of the client. */
    void accept(byte[] line) {
        try {
            AcpMessage.of(line)
                    .ifPresentOrElse(this::accept, () -> LOG.warn("a response came to nothing that was asked"));
        } catch (AcpMessage.UnreadableException e) {
            out.fail(e.id(), e.error());
        }
    }

    /** Tells the client of a line that cannot be taken. */
    void refuse(AcpInput.LineTooLongException line) {
        out.fail(JsonNull.NULL, new AcpException(Code.INVALID_REQUEST, String.valueOf(line.getMessage())));
    }

    private void accept(AcpMessage message) {
        Json id = message.id();
        if (id == null) {
            hear(message);
            return;
        }
        try {
            begin(id, message);
        } catch (RuntimeException e) {
            out.fail(id, error(message, e));
        }
    }

    private void hear(AcpMessage notification) {
        if (notification.method().equals("session/cancel")) {
            Optional<AcpSession> session = notification
                    .params()
                    .string("sessionId")
                    .filter(text -> !text.isEmpty())
                    .map(text -> sessions.get(SessionId.of(text)));
            session.ifPresentOrElse(
                    AcpSession::cancel,
                    () -> LOG.warn("session/cancel for a session that is not open here: {}", notification.params()));
        } else if (!notification.method().startsWith("$/")) {
            LOG.warn("a notification that is not known here: {}", notification.method());
        }
    }

    private void begin(Json id, AcpMessage request) {
        if (request.method().equals("initialize")) {
            out.respond(id, initialize(request));
            return;
        }
        if (!initialized && request.method().startsWith("session/")) {
            throw new AcpException(Code.INVALID_REQUEST, "expected initialize first, found " + request.method());
        }
        switch (request.method()) {
            case "session/new" -> {
                Agent agent = create(header(request));
                out.respond(
                        id,
                        JsonObject.builder()
                                .put("sessionId", agent.id().value())
                                .build());
                announce(agent.id());
            }
            case "session/load" -> {
                header(request);
                AcpSession session =
                        sessions.computeIfAbsent(sessionId(request), unknown -> new AcpSession(unknown, threads));
                session.add(() -> answer(id, request, () -> load(session)));
            }
            case "session/prompt" -> {
                AcpSession session = session(request);
                AcpPrompt prompt = new AcpPrompt(AcpContent.prompt(request));
                session.asked(prompt);
                session.add(() -> answer(id, request, () -> prompt(session, prompt)));
            }
            default ->
                throw new AcpException(Code.METHOD_NOT_FOUND, "there is no method " + request.method() + " here");
        }
    }

    private void answer(Json id, AcpMessage request, Supplier<JsonObject> work) {
        JsonObject result;
        try {
            result = work.get();
        } catch (Throwable e) {
            out.fail(id, error(request, e));
            return;
        }
        out.respond(id, result);
    }

    private JsonObject initialize(AcpMessage request) {
        if (request.params().longValue("protocolVersion").isEmpty()) {
            throw AcpException.invalidParams("initialize: expected an integer protocolVersion, found "
                    + AcpMessage.found(request.params().get("protocolVersion")));
        }
        initialized = true;
        return JsonObject.builder()
                .put("protocolVersion", PROTOCOL_VERSION)
                .put("agentCapabilities", capabilities())
                .put(
                        "agentInfo",
                        JsonObject.builder()
                                .put("name", "surfacelog")
                                .put("title", "Surfacelog")
                                .put("version", version)
                                .build())
                .put("authMethods", JsonArray.EMPTY)
                .build();
    }

    private static JsonObject capabilities() {
        return JsonObject.builder()
                .put("loadSession", true)
                .put(
                        "promptCapabilities",
                        JsonObject.builder()
                                .put("image", true)
                                .put("audio", false)
                                .put("embeddedContext", true)
                                .build())
                .put(
                        "mcpCapabilities",
                        JsonObject.builder()
                                .put("http", false)
                                .put("sse", false)
                                .build())
                .build();
    }

    /** The session as the client wants it; its tools are ours, so other servers of tools are not asked. */
    private static SessionHeader header(AcpMessage request) {
        String cwd = request.text("cwd");
        request.params()
                .array("mcpServers")
                .filter(servers -> servers.size() > 0)
                .ifPresent(servers -> LOG.warn(
                        "{}: MCP servers are not used by this agent: {} ignored", request.method(), servers.size()));
        try {
            return SessionHeader.builder().cwd(cwd).build();
        } catch (AdmissionException e) {
            throw AcpException.invalidParams(request.method() + ": " + e.getMessage());
        }
    }

    private static SessionId sessionId(AcpMessage request) {
        String id = request.text("sessionId");
        if (id.isEmpty()) {
            throw AcpException.invalidParams(request.method() + ": expected a sessionId, found an empty one");
        }
        return SessionId.of(id);
    }

    private AcpSession session(AcpMessage request) {
        SessionId id = sessionId(request);
        AcpSession session = sessions.get(id);
        if (session == null) {
            throw AcpErrors.notOpen(id);
        }
        return session;
    }

    private void announce(SessionId session) {
        if (compaction != null) {
            out.update(session.value(), AcpCompaction.announcement());
        }
    }

    private Agent create(SessionHeader header) {
        Agent agent = agents.create(header, profile);
        AcpSession session = new AcpSession(agent.id(), threads);
        session.agent(agent);
        sessions.put(agent.id(), session);
        return agent;
    }

    /** Takes the session over, which closes what a crash left open, and shows what was said. */
    private JsonObject load(AcpSession session) {
        if (session.agent().isEmpty()) {
            session.agent(resumed(session));
        }
        AcpUpdates updates = updates(session);
        List<TranscriptEntry> transcript = queries.transcript(session.id());
        for (TranscriptEntry entry : transcript) {
            updates.acceptOfUser(entry.event());
            updates.accept(entry.event());
        }
        announce(session.id());
        return JsonObject.EMPTY;
    }

    private Agent resumed(AcpSession session) {
        Optional<Agent> live = agents.find(session.id());
        boolean resumed = false;
        try {
            Agent agent = live.isPresent() ? live.get() : agents.resume(session.id(), profile);
            resumed = true;
            return agent;
        } finally {
            if (!resumed) {
                sessions.remove(session.id(), session);
            }
        }
    }

    private JsonObject prompt(AcpSession session, AcpPrompt prompt) {
        try {
            Agent agent = session.agent().orElse(null);
            if (agent == null && closing) {
                return AcpStop.result(AcpStop.CANCELLED);
            }
            if (agent == null) {
                throw AcpErrors.notOpen(session.id());
            }
            if (compaction != null && AcpCompaction.isAskedBy(prompt.message())) {
                return compact(session.id(), prompt, compaction);
            }
            return AcpStop.result(prompt.answer(agent, queries, stream, updates(session)));
        } catch (AgentDisposedException e) {
            if (!closing) {
                throw e;
            }
            return AcpStop.result(AcpStop.CANCELLED);
        } finally {
            session.settled(prompt);
        }
    }

    private JsonObject compact(SessionId session, AcpPrompt prompt, AcpCompaction how) {
        if (!prompt.isCancelled()) {
            out.update(session.value(), how.run(session, prompt::isCancelled));
        }
        return AcpStop.result(prompt.isCancelled() ? AcpStop.CANCELLED : AcpStop.END_TURN);
    }

    private AcpUpdates updates(AcpSession session) {
        return new AcpUpdates(update -> out.update(session.id().value(), update));
    }

    private static AcpException error(AcpMessage request, Throwable failure) {
        if (!(failure instanceof AcpException || failure instanceof SurfacelogException)) {
            LOG.error("{} failed", request.method(), failure);
        }
        return AcpErrors.of(failure);
    }

    /** Disposes of the agents, which ends their turns, and has their prompts answered if somebody still reads. */
    @Override
    public void close() {
        closing = true;
        agents.close();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LAST_WORDS_SECONDS);
        try {
            for (AcpSession session : sessions.values()) {
                session.awaitDone(deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            threads.shutdownNow();
        }
    }
}
