package io.surfacelog.web;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.provider.Adjustment;
import io.surfacelog.provider.Provider;
import io.surfacelog.provider.RenderedRequest;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import io.surfacelog.surface.TranscriptEntry;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a session looks like now, or looked like after an earlier event. */
final class ViewOperations {

    private final SessionQueries queries;

    ViewOperations(SessionQueries queries) {
        this.queries = queries;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/sessions/{session}/surface", this::surface, "asOf", "last"),
                Route.get("/sessions/{session}/messages", this::messages, "asOf", "shape"),
                Route.get("/sessions/{session}/transcript", this::transcript, "asOf"),
                Route.get("/sessions/{session}/replacements", this::replacements, "asOf"),
                Route.get("/sessions/{session}/usage", this::usage, "asOf"),
                Route.get("/sessions/{session}/events/{seq}/request", this::request, "shape"));
    }

    /** The surface asked for; what another process has committed is taken in first. */
    private Surface surfaceOf(Call call, SessionId id) {
        Surface now = queries.refresh(id);
        OptionalLong asOf = call.number("asOf");
        Surface surface = asOf.isEmpty() ? now : queries.surfaceAsOf(id, asOf.getAsLong());
        call.entityTag(now.nextSeq());
        return surface;
    }

    private void surface(Call call) throws IOException {
        SessionId id = call.session();
        Surface surface = surfaceOf(call, id);
        List<SurfaceNode> nodes = surface.nodes();
        int first = nodes.size() - call.number("last", nodes.size(), 0, Integer.MAX_VALUE);
        // what was replaced is told with the whole surface only: it takes a look at every surface event
        Map<Long, Replacement> replaced =
                call.number("last").isPresent() ? Map.of() : replacementsBySeq(id, surface.nextSeq());
        call.stream()
                .member("nextSeq", surface.nextSeq())
                .member("generation", surface.generation())
                .member("requestHeader", SessionOperations.header(surface))
                .member("findings", JsonViews.array(surface.findings(), JsonViews::finding))
                .member("count", nodes.size())
                .array("nodes", nodes.subList(Math.max(0, first), nodes.size()), node -> node(node, replaced))
                .end();
    }

    private static String node(SurfaceNode node, Map<Long, Replacement> replaced) {
        JsonObject.Builder json = Outline.node(node);
        Replacement replacement = replaced.get(node.seq());
        if (replacement != null) {
            json.put("replaces", JsonViews.replacement(replacement));
        }
        return json.build().toText();
    }

    private Map<Long, Replacement> replacementsBySeq(SessionId id, long nextSeq) {
        Map<Long, Replacement> bySeq = new HashMap<>();
        queries.replacements(id).forEach(one -> {
            if (one.seq() < nextSeq) {
                bySeq.put(one.seq(), one);
            }
        });
        return bySeq;
    }

    private void messages(Call call) throws IOException {
        Surface surface = surfaceOf(call, call.session());
        Provider provider = shape(call);
        if (provider != null) {
            call.answer(rendered(provider, surface));
            return;
        }
        call.stream()
                .member("nextSeq", surface.nextSeq())
                .member("seqs", JsonViews.seqs(surface.messageSeqs()))
                .array(
                        "messages",
                        surface.messageNodes(),
                        node -> node.message().json().toText())
                .end();
    }

    /** Null for the messages as they are. */
    private static @Nullable Provider shape(Call call) {
        String shape = call.parameter("shape").orElse("neutral");
        return switch (shape) {
            case "neutral" -> null;
            case "openai" -> Provider.OPENAI;
            case "anthropic" -> Provider.ANTHROPIC;
            case "deepseek" -> Provider.DEEPSEEK;
            default ->
                throw ProblemException.badRequest("expected the parameter shape to be neutral, openai, anthropic or"
                        + " deepseek, found another");
        };
    }

    private static JsonObject rendered(Provider provider, Surface surface) {
        RenderedRequest rendered = provider.render(surface.requestHeader(), surface.messages());
        JsonObject.Builder names = JsonObject.builder();
        rendered.toolNames().forEach(names::put);
        List<SurfaceNode> nodes = surface.messageNodes();
        return JsonObject.builder()
                .put("nextSeq", surface.nextSeq())
                .put("request", rendered.body())
                .put("adjustments", JsonViews.array(rendered.adjustments(), one -> adjustment(one, nodes)))
                .put("toolNames", names.build())
                .put(
                        "violations",
                        JsonViews.array(
                                provider.validate(rendered.body()),
                                one -> JsonObject.builder()
                                        .put("rule", one.rule())
                                        .put("at", one.at())
                                        .put("message", one.message())
                                        .build()))
                .build();
    }

    private static JsonObject adjustment(Adjustment adjustment, List<SurfaceNode> nodes) {
        JsonObject.Builder json = JsonObject.builder().put("rule", adjustment.rule());
        if (adjustment.message() >= 0) {
            json.put("seq", nodes.get(adjustment.message()).seq());
        }
        return json.put("detail", adjustment.detail()).build();
    }

    private void transcript(Call call) throws IOException {
        SessionId id = call.session();
        Surface surface = surfaceOf(call, id);
        List<TranscriptEntry> entries = queries.transcript(id).stream()
                .filter(entry -> entry.event().seq() < surface.nextSeq())
                .toList();
        call.stream()
                .member("nextSeq", surface.nextSeq())
                .array("entries", entries, ViewOperations::entry)
                .end();
    }

    private static String entry(TranscriptEntry entry) {
        SessionEvent event = entry.event();
        JsonObject.Builder json = JsonObject.builder()
                .put("seq", event.seq())
                .put("time", event.time())
                .put("type", event.type());
        entry.replace().ifPresent(replace -> json.put("replaces", replace.toJson()));
        return json.put("message", ((SurfacePayload) event.payload()).message().json())
                .build()
                .toText();
    }

    private void replacements(Call call) throws IOException {
        SessionId id = call.session();
        long nextSeq = surfaceOf(call, id).nextSeq();
        List<Replacement> found = queries.replacements(id).stream()
                .filter(one -> one.seq() < nextSeq)
                .toList();
        call.stream()
                .member("nextSeq", nextSeq)
                .array("replacements", found, one -> JsonViews.replacement(one).toText())
                .end();
    }

    /** What providers said they counted, message by message. */
    private void usage(Call call) throws IOException {
        SessionId id = call.session();
        long nextSeq = surfaceOf(call, id).nextSeq();
        List<SessionEvent> answers = queries.transcript(id).stream()
                .map(TranscriptEntry::event)
                .filter(event -> event.seq() < nextSeq
                        && event.payload() instanceof AssistantMessage answer
                        && answer.usage().isPresent())
                .toList();
        call.stream()
                .member("nextSeq", nextSeq)
                .array("usage", answers, ViewOperations::usage)
                .end();
    }

    private static String usage(SessionEvent event) {
        AssistantMessage answer = (AssistantMessage) event.payload();
        return JsonObject.builder()
                .put("seq", event.seq())
                .put("time", event.time())
                .put("turn", event.place().turn())
                .put("step", event.place().step())
                .put("usage", answer.usage().orElseThrow().json())
                .build()
                .toText();
    }

    /** What the model was sent for the answer that an event belongs to. */
    private void request(Call call) throws IOException {
        SessionId id = call.session();
        long seq = call.pathNumber("seq");
        Provider provider = shape(call);
        queries.refresh(id);
        long begin = new Attempt(queries, id)
                .beginOf(seq)
                .orElseThrow(() -> Problem.of(
                                ProblemType.REFUSED,
                                "expected an event of a model attempt, found event " + seq
                                        + ", before which no model was asked in its step")
                        .exception());
        Surface surface = begin == 0 ? Surface.empty() : queries.surfaceAsOf(id, begin - 1);
        if (provider != null) {
            call.answer(rendered(provider, surface).with("attemptBegin", Json.of(begin)));
            return;
        }
        call.answer(JsonObject.builder()
                .put("nextSeq", surface.nextSeq())
                .put("attemptBegin", begin)
                .put(
                        "header",
                        surface.requestHeader().<Json>map(RequestHeader::json).orElse(JsonNull.NULL))
                .put("seqs", JsonViews.seqs(surface.messageSeqs()))
                .put(
                        "messages",
                        JsonArray.of(surface.messages().stream()
                                .map(message -> message.json())
                                .toList()))
                .build());
    }
}
