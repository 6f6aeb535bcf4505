package io.surfacelog.web;

import io.surfacelog.compaction.CompactionOutcome;
import io.surfacelog.compaction.CompactionRequest;
import io.surfacelog.compaction.Compactions;
import io.surfacelog.compaction.Orphan;
import io.surfacelog.compaction.PricedSurface;
import io.surfacelog.compaction.PrunePlan;
import io.surfacelog.compaction.TokenCount;
import io.surfacelog.compaction.TokenMeter;
import io.surfacelog.compaction.ToolResultPruner;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** What a surface costs, and how it is made to cost less. */
final class CompactionOperations {

    private final SessionQueries queries;
    private final Compactions compactions;
    private final ToolResultPruner pruner;
    private final TokenMeter meter;

    CompactionOperations(SessionQueries queries, Compactions compactions, ToolResultPruner pruner, TokenMeter meter) {
        this.queries = queries;
        this.compactions = compactions;
        this.pruner = pruner;
        this.meter = meter;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/sessions/{session}/tokens", this::tokens, "asOf", "total"),
                Route.post("/sessions/{session}/compact", this::compact),
                Route.post("/sessions/{session}/prune", this::prune));
    }

    private void tokens(Call call) throws IOException {
        SessionId id = call.session();
        Surface now = queries.refresh(id);
        OptionalLong asOf = call.number("asOf");
        Surface surface = asOf.isEmpty() ? now : queries.surfaceAsOf(id, asOf.getAsLong());
        List<String> lines = new ArrayList<>();
        TokenCount count;
        if (call.flag("total")) {
            count = meter.count(id, surface);
        } else {
            PricedSurface priced = meter.priced(id, surface);
            count = priced.count();
            List<SurfaceNode> nodes = surface.nodes();
            for (int i = 0; i < nodes.size(); i++) {
                lines.add("{\"seq\":" + nodes.get(i).seq() + ",\"tokens\":" + priced.tokens(i) + "}");
            }
        }
        call.entityTag(now.nextSeq());
        call.stream()
                .member("nextSeq", surface.nextSeq())
                .member("total", count.total())
                .member("basis", Json.of(count.basis().name().toLowerCase(Locale.ROOT)))
                .member("reported", count.reported())
                .member("change", count.change())
                .member("estimated", count.estimated())
                .array("nodes", lines, line -> line)
                .end();
    }

    private void compact(Call call) throws IOException {
        JsonObject body = call.object("start", "end", "widened");
        SessionId id = call.session();
        queries.refresh(id);
        boolean widened = Call.flag(body, "widened");
        CompactionRequest request;
        if (body.has("start") || body.has("end")) {
            long start = body.longValue("start").orElse(-1);
            long end = body.longValue("end").orElse(-1);
            if (start < 0 || end < 0) {
                throw ProblemException.badRequest(
                        "expected start and end to be seqs, found another value or one alone");
            }
            request = CompactionRequest.range(id, start, end);
            request = widened ? request.widened() : request;
        } else if (widened) {
            throw ProblemException.badRequest("expected start and end, which are to be widened, found neither");
        } else {
            request = CompactionRequest.now(id);
        }
        JsonObject outcome = outcome(compactions.compact(request));
        long nextSeq = queries.nextSeq(id);
        call.entityTag(nextSeq);
        call.answer(outcome.with("nextSeq", Json.of(nextSeq)));
    }

    private static JsonObject outcome(CompactionOutcome outcome) {
        JsonObject.Builder json = JsonObject.builder();
        if (outcome instanceof CompactionOutcome.Compacted done) {
            return json.put("outcome", "compacted")
                    .put("compactionId", done.compactionId())
                    .put("seq", done.seq())
                    .put("hidden", JsonViews.seqs(done.hidden()))
                    .put("hiddenTokens", done.hiddenTokens())
                    .put("tokensBefore", done.tokensBefore())
                    .put("tokensAfter", done.tokensAfter())
                    .put("orphans", JsonViews.array(done.orphans(), CompactionOperations::orphan))
                    .build();
        }
        if (outcome instanceof CompactionOutcome.Failed failed) {
            return json.put("outcome", "failed")
                    .put("compactionId", failed.compactionId())
                    .put("fault", failed.fault().code())
                    .put("message", failed.message())
                    .build();
        }
        if (outcome instanceof CompactionOutcome.NothingToCompact nothing) {
            return json.put("outcome", "nothing-to-compact")
                    .put("tokens", nothing.tokens())
                    .put("message", nothing.reason())
                    .put("orphans", JsonViews.array(nothing.orphans(), CompactionOperations::orphan))
                    .build();
        }
        return json.put("outcome", "not-needed")
                .put("tokens", ((CompactionOutcome.NotNeeded) outcome).tokens())
                .build();
    }

    private static JsonObject orphan(Orphan orphan) {
        return JsonObject.builder()
                .put("kind", orphan.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .put("seq", orphan.seq())
                .put("callId", orphan.callId())
                .build();
    }

    private void prune(Call call) throws IOException {
        call.requireNothing();
        SessionId id = call.session();
        queries.refresh(id);
        PrunePlan done = pruner.prune(id);
        long nextSeq = queries.nextSeq(id);
        call.entityTag(nextSeq);
        call.answer(JsonObject.builder()
                .put("nextSeq", nextSeq)
                .put("reclaimed", done.reclaimed())
                .put(
                        "pruned",
                        JsonViews.array(
                                done.pruned(),
                                one -> JsonObject.builder()
                                        .put("seq", one.seq())
                                        .put("chars", one.chars())
                                        .put("reclaimed", one.reclaimed())
                                        .build()))
                .put(
                        "left",
                        JsonViews.array(
                                done.left(),
                                one -> JsonObject.builder()
                                        .put("seq", one.seq())
                                        .put(
                                                "reason",
                                                one.reason()
                                                        .name()
                                                        .toLowerCase(Locale.ROOT)
                                                        .replace('_', '-'))
                                        .build()))
                .build());
    }
}
