package io.surfacelog.web;

import io.surfacelog.command.Appended;
import io.surfacelog.command.CreateSession;
import io.surfacelog.command.EraseSession;
import io.surfacelog.command.ForkSession;
import io.surfacelog.command.Forked;
import io.surfacelog.command.RecoverSession;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.VerifyReport;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.store.SessionRemoval;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.surface.Surface;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations on whole sessions. */
final class SessionOperations {

    private static final int PAGE = 100;
    private static final int LARGEST_PAGE = 1_000;

    private final SessionCommands commands;
    private final SessionQueries queries;
    private final EventStore store;
    private final SessionVerifier verifier;
    private final EventLimits limits;
    private final Clock clock;

    SessionOperations(
            SessionCommands commands,
            SessionQueries queries,
            EventStore store,
            SessionVerifier verifier,
            EventLimits limits,
            Clock clock) {
        this.commands = commands;
        this.queries = queries;
        this.store = store;
        this.verifier = verifier;
        this.limits = limits;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.get(
                        "/sessions",
                        this::list,
                        "contains",
                        "idContains",
                        "parent",
                        "createdFrom",
                        "createdTo",
                        "before",
                        "limit"),
                Route.post("/sessions", this::create),
                Route.get("/sessions/{session}", this::show),
                Route.delete("/sessions/{session}", this::delete),
                Route.post("/sessions/{session}/erase", this::erase),
                Route.post("/sessions/{session}/fork", this::fork),
                Route.post("/sessions/{session}/recover", this::recover),
                Route.post("/sessions/{session}/verify", this::verify));
    }

    private void list(Call call) throws IOException {
        SessionFilter filter = new SessionFilter(
                call.parameter("idContains").orElse(null),
                call.parameter("parent").orElse(null),
                call.number("createdFrom").orElse(Long.MIN_VALUE),
                call.number("createdTo").orElse(Long.MAX_VALUE),
                call.number("before").orElse(Long.MAX_VALUE),
                call.number("limit", PAGE, 1, LARGEST_PAGE));
        String part = call.parameter("contains").orElse("");
        SessionPage page = part.isEmpty() ? queries.list(filter) : new SessionSearch(queries, part).page(filter);
        JsonObject.Builder json = JsonObject.builder()
                .put(
                        "sessions",
                        JsonViews.array(
                                page.sessions(),
                                session ->
                                        JsonViews.session(session, call.base()).build()))
                .put("damaged", JsonViews.array(page.damaged(), JsonViews::fault));
        page.next().ifPresent(next -> json.put("next", next));
        call.answer(json.build());
    }

    private void create(Call call) throws IOException {
        JsonObject body = call.object();
        JsonObject header = body.without("seed");
        if (!header.has("version")) {
            header = header.with("version", JsonNumber.of(SessionHeader.VERSION));
        }
        if (!header.has("id")) {
            header = header.with("id", JsonString.of(SessionId.random().value()));
        }
        if (!header.has("createdAt")) {
            header = header.with("createdAt", JsonNumber.of(clock.millis()));
        }
        SessionHeader sound = SessionHeader.of(header);
        Appended created = commands.create(
                body.has("seed") ? CreateSession.seeded(sound, seed(body.get("seed"))) : CreateSession.empty(sound));
        created(call, created.session());
    }

    private List<EventCandidate> seed(@Nullable Json json) {
        if (!(json instanceof JsonArray array)) {
            throw ProblemException.badRequest("expected seed to be an array of events, found another value");
        }
        List<EventCandidate> candidates = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            try {
                candidates.add(EventCandidate.of(array.get(i), limits));
            } catch (AdmissionException e) {
                throw e.at(i);
            }
        }
        return candidates;
    }

    private void created(Call call, SessionId id) throws IOException {
        StoredSession session = stored(id);
        call.created(JsonViews.path(call.base(), id));
        call.entityTag(session.nextSeq());
        call.answer(JsonViews.session(session, call.base()).build());
    }

    private StoredSession stored(SessionId id) {
        return store.find(id).orElseThrow(() -> new UnknownSessionException(id));
    }

    private void show(Call call) throws IOException {
        SessionId id = call.session();
        StoredSession session = stored(id);
        Surface surface;
        try {
            surface = queries.refresh(id);
        } catch (DamagedStoreException e) {
            // what its row says can be told all the same
            call.answer(JsonViews.session(session, call.base())
                    .put("damaged", JsonViews.fault(e.fault()))
                    .put("driver", driver(id))
                    .build());
            return;
        }
        call.entityTag(surface.nextSeq());
        call.answer(JsonViews.session(session, call.base())
                .put("nextSeq", surface.nextSeq())
                .put("nodes", surface.nodes().size())
                .put("generation", surface.generation())
                .put("lastTime", surface.lastTime())
                .put("lastTurn", surface.lastTurn())
                .put("openTurn", surface.hasOpenTurn())
                .put("requestHeader", header(surface))
                .put(
                        "requestContext",
                        surface.requestContextEvent()
                                .map(event -> event.data().value())
                                .orElse(JsonNull.NULL))
                .put("driver", driver(id))
                .put("findings", JsonViews.array(surface.findings(), JsonViews::finding))
                .build());
    }

    static Json header(Surface surface) {
        return surface.requestHeader()
                .<Json>map(header -> header.normalHeader())
                .orElse(JsonNull.NULL);
    }

    /** Who drives the session now, null for nobody. */
    private Json driver(SessionId id) {
        long now = clock.millis();
        return store.lease(id, LeasePurpose.DRIVER)
                .filter(lease -> lease.isLive(now))
                .<Json>map(SessionOperations::driver)
                .orElse(JsonNull.NULL);
    }

    private static JsonObject driver(StoredLease lease) {
        return JsonObject.builder()
                .put("token", lease.token())
                .put(
                        "holder",
                        lease.holder() == null ? "nobody" : lease.holder().description())
                .put("expiresAt", lease.expiresAt())
                .build();
    }

    private void delete(Call call) throws IOException {
        SessionRemoval removal = commands.delete(call.session());
        call.answer(JsonObject.builder()
                .put("session", removal.session().value())
                .put("events", removal.events())
                .put("kept", removal.kept())
                .put("neededBy", JsonViews.ids(removal.neededBy()))
                .build());
    }

    private void erase(Call call) throws IOException {
        boolean cascade = Call.flag(call.object("cascade"), "cascade");
        ErasureProof proof = commands.erase(new EraseSession(call.session(), cascade));
        // the files that were searched are named to nobody outside: they are paths of this machine
        call.answer(JsonObject.builder()
                .put("sessions", JsonViews.ids(proof.sessions()))
                .put("events", proof.events())
                .put("rows", proof.rows())
                .put(
                        "inherited",
                        JsonViews.array(
                                proof.inherited(),
                                part -> JsonObject.builder()
                                        .put("owner", part.owner())
                                        .put("from", part.from())
                                        .put("to", part.to())
                                        .build()))
                .put("markers", proof.markers())
                .put("files", proof.files().size())
                .put("bytes", proof.bytes())
                .put("elsewhere", proof.elsewhere())
                .put("found", proof.found())
                .build());
    }

    private void fork(Call call) throws IOException {
        JsonObject body = call.object("id", "boundary", "beforeOpenTurn");
        ForkSession command = ForkSession.of(call.session());
        Json id = body.get("id");
        if (id != null) {
            command = command.as(SessionId.of(body.string("id")
                    .filter(text -> !text.isEmpty())
                    .orElseThrow(() -> new AdmissionException(
                            AdmissionRule.HEAD_ID, "expected id to be a non-empty string, found another value"))));
        }
        Json boundary = body.get("boundary");
        command = boundary == null ? command : command.at(boundary);
        Forked forked = commands.fork(Call.flag(body, "beforeOpenTurn") ? command.beforeOpenTurns() : command);
        created(call, forked.session());
    }

    private void recover(Call call) throws IOException {
        boolean forced = Call.flag(call.object("forced"), "forced");
        SessionId id = call.session();
        Appended closers = commands.recover(forced ? RecoverSession.forced(id) : new RecoverSession(id));
        call.entityTag(closers.nextSeq());
        call.answer(JsonObject.builder()
                .put("nextSeq", closers.nextSeq())
                .put("events", JsonViews.events(closers.events()))
                .build());
    }

    private void verify(Call call) throws IOException {
        call.requireNothing();
        VerifyReport report = verifier.verify(call.session());
        call.answer(JsonObject.builder()
                .put("session", report.session().value())
                .put("sound", report.isSound())
                .put("events", report.events())
                .put("faults", JsonViews.array(report.faults(), JsonViews::fault))
                .put("findings", JsonViews.array(report.findings(), JsonViews::finding))
                .build());
    }
}
