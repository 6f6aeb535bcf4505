package io.surfacelog.web;

import io.surfacelog.command.AppendEvents;
import io.surfacelog.command.Appended;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.Provenance;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Surface;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Operations on the events of a session. */
final class EventOperations {

    private static final int PAGE = 1_000;
    private static final int LARGEST_PAGE = 10_000;

    private final SessionCommands commands;
    private final SessionQueries queries;
    private final EventStore store;
    private final EventLimits limits;
    private final EventTypes types;
    private final LogEnd ends;

    EventOperations(
            SessionCommands commands, SessionQueries queries, EventStore store, EventLimits limits, EventTypes types) {
        this.commands = commands;
        this.queries = queries;
        this.store = store;
        this.limits = limits;
        this.types = types;
        this.ends = new LogEnd(queries, store);
    }

    List<Route> routes() {
        return List.of(
                Route.get("/sessions/{session}/events", this::read, "from", "to", "limit", "asOf", "view"),
                Route.post("/sessions/{session}/events", this::append).conditional(),
                Route.get("/sessions/{session}/events/{seq}", this::event),
                Route.get("/sessions/{session}/events/{seq}/provenance", this::provenance));
    }

    private void append(Call call) throws IOException {
        SessionId id = call.session();
        EventDrafts drafts = EventDrafts.read(call.body(), limits);
        AppendEvents append = AppendEvents.to(id, drafts.drafts(() -> queries.refresh(id), types));
        OptionalLong expected = call.expectedNextSeq();
        append = expected.isPresent() ? append.expectingNextSeq(expected.getAsLong()) : append;
        String key = call.idempotencyKey().orElse(null);
        Appended appended = commands.append(key == null ? append : append.idempotencyKey(key));
        if (!appended.repeated()) {
            call.created(JsonViews.path(call.base(), id) + "/events/" + appended.firstSeq());
        }
        call.entityTag(appended.nextSeq());
        call.answer(JsonObject.builder()
                .put("firstSeq", appended.firstSeq())
                .put("nextSeq", appended.nextSeq())
                .put("repeated", appended.repeated())
                .put("events", JsonViews.events(appended.events()))
                .build());
    }

    private void read(Call call) throws IOException {
        SessionId id = call.session();
        OptionalLong asOf = call.number("asOf");
        Surface then = asOf.isPresent() ? queries.surfaceAsOf(id, asOf.getAsLong()) : null;
        long nextSeq = then == null ? ends.nextSeq(id) : then.nextSeq();
        int limit = call.number("limit", PAGE, 1, LARGEST_PAGE);
        long from = Math.min(call.number("from").orElse(0), nextSeq);
        long to = Math.min(Math.min(call.number("to").orElse(nextSeq), nextSeq), from + limit);
        Function<SessionEvent, String> toText = view(call, () -> then == null ? queries.surface(id) : then);
        call.entityTag(nextSeq);
        call.stream()
                .member("nextSeq", nextSeq)
                .member("from", from)
                .member("to", Math.max(from, to))
                .array("events", item -> {
                    if (from < to) {
                        store.forEach(id, EventRange.of(from, to), event -> item.accept(toText.apply(event)));
                    }
                })
                .end();
    }

    private static Function<SessionEvent, String> view(Call call, Supplier<Surface> surface) {
        String view = call.parameter("view").orElse("full");
        return switch (view) {
            case "full" -> SessionEvent::toText;
            case "outline" -> new Outline(surface.get())::text;
            default ->
                throw ProblemException.badRequest("expected the parameter view to be full or outline, found another");
        };
    }

    private void event(Call call) throws IOException {
        call.answer(queries.event(call.session(), call.pathNumber("seq")).toJson());
    }

    private void provenance(Call call) throws IOException {
        SessionId id = call.session();
        long seq = call.pathNumber("seq");
        queries.refresh(id);
        Provenance why = queries.provenance(id, seq);
        OptionalLong attempt = new Attempt(queries, id).beginOf(seq);
        call.answer(JsonObject.builder()
                .put("seq", seq)
                .put("onSurface", why.onSurface())
                .put("cites", JsonViews.seqs(why.cites()))
                .put("citedBy", JsonViews.seqs(why.citedBy()))
                .put("replaces", replacement(why.replaces()))
                .put("replacedBy", replacement(why.replacedBy()))
                .put(
                        "chain",
                        JsonArray.of(why.chain().stream().map(JsonNumber::of).toList()))
                .put("attemptBegin", attempt.isPresent() ? Json.of(attempt.getAsLong()) : JsonNull.NULL)
                .build());
    }

    private static Json replacement(Optional<Replacement> replacement) {
        return replacement.<Json>map(JsonViews::replacement).orElse(JsonNull.NULL);
    }
}
