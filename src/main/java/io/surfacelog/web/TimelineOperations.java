package io.surfacelog.web;

import io.surfacelog.compaction.TokenEstimator;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.ToolResult;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A long log at a glance: what happened when, and windows of it in which runs of chunks are one row. */
final class TimelineOperations {

    private static final int ROWS = 500;
    private static final int MOST_ROWS = 5_000;
    private static final int POINTS = 1_000;
    private static final int MOST_POINTS = 10_000;

    private final SessionQueries queries;
    private final EventStore store;
    private final TokenEstimator estimator;
    private final LogEnd ends;
    private final Timelines timelines;

    TimelineOperations(SessionQueries queries, EventStore store, TokenEstimator estimator) {
        this.queries = queries;
        this.store = store;
        this.estimator = estimator;
        this.ends = new LogEnd(queries, store);
        this.timelines = new Timelines(store);
    }

    List<Route> routes() {
        return List.of(
                Route.get("/sessions/{session}/timeline", this::timeline, "points"),
                Route.get("/sessions/{session}/rows", this::rows, "from", "to", "limit"));
    }

    private void timeline(Call call) throws IOException {
        SessionId id = call.session();
        int points = call.number("points", POINTS, 1, MOST_POINTS);
        long nextSeq = queries.refresh(id).nextSeq();
        JsonObject json = timelines.read(id, nextSeq, timeline -> timeline.json(points));
        call.entityTag(nextSeq);
        call.answer(json);
    }

    private void rows(Call call) throws IOException {
        SessionId id = call.session();
        int limit = call.number("limit", ROWS, 1, MOST_ROWS);
        long nextSeq = ends.nextSeq(id);
        long from = Math.min(call.number("from").orElse(0), nextSeq);
        long to = Math.max(from, Math.min(call.number("to").orElse(nextSeq), nextSeq));
        // each event that is no chunk makes at most two rows, its own and that of the run before it
        List<SessionEvent> events = store.events(
                id, EventRange.of(from, to).kind(EventRange.Kind.NOT_CHUNK).limit(limit));
        List<String> rows = new ArrayList<>();
        long next = from;
        for (SessionEvent event : events) {
            if (rows.size() + (event.seq() > next ? 2 : 1) > limit && !rows.isEmpty()) {
                break;
            }
            if (event.seq() > next) {
                rows.add(run(next, event.seq() - 1));
            }
            rows.add(row(event));
            next = event.seq() + 1;
        }
        boolean all = events.isEmpty() || next > events.get(events.size() - 1).seq();
        if (all && events.size() < limit && next < to) {
            rows.add(run(next, to - 1));
            next = to;
        }
        call.entityTag(nextSeq);
        call.stream()
                .member("nextSeq", nextSeq)
                .member("from", from)
                .member("to", next)
                .array("rows", rows, row -> row)
                .end();
    }

    private static String run(long first, long last) {
        return JsonObject.builder()
                .put("seq", first)
                .put("last", last)
                .put("type", EventType.ASSISTANT_CHUNK)
                .build()
                .toText();
    }

    private String row(SessionEvent event) {
        JsonObject.Builder row = Outline.line(event).put("last", event.seq());
        if (event.payload() instanceof SurfacePayload payload) {
            row.put("role", payload.message().role())
                    .put("tokens", estimator.tokens(payload.message()))
                    .put("blocks", JsonViews.array(payload.message().content(), Outline::kind));
            if (payload instanceof ToolResult result && result.error().isPresent()) {
                row.put("failed", true);
            }
        }
        return row.build().toText();
    }
}
