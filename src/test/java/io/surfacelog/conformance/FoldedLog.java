package io.surfacelog.conformance;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.surface.Closers;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.Replacements;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.util.ArrayList;
import java.util.List;

/** A log that was admitted and folded as the vectors were recorded: structure rules off, nothing extra recovered. */
record FoldedLog(List<SessionEvent> events, Surface surface) {

    static final RecoverySettings AS_RECORDED = new RecoverySettings(false, false);
    private static final SurfaceRules RULES = SurfaceRules.standard().with(StructureMode.OFF);

    /**
     * Admits and folds a log.
     *
     * @throws io.surfacelog.event.AdmissionException placed at the first event that is refused
     */
    static FoldedLog of(List<? extends Json> log) {
        return of(log, RULES);
    }

    static FoldedLog of(List<? extends Json> log, SurfaceRules rules) {
        SurfacePlanner planner = Surface.empty().planner(rules);
        List<SessionEvent> events = new ArrayList<>();
        for (Json json : log) {
            EventCandidate candidate;
            try {
                candidate = EventCandidate.of(json, EventLimits.defaults());
            } catch (io.surfacelog.event.AdmissionException e) {
                throw e.at(events.size());
            }
            events.add(planner.fold(candidate));
        }
        return new FoldedLog(events, planner.surface());
    }

    /** Admits a log of texts, each one event. */
    static FoldedLog ofTexts(List<String> log) {
        SurfacePlanner planner = Surface.empty().planner(RULES);
        List<SessionEvent> events = new ArrayList<>();
        for (String text : log) {
            EventCandidate candidate;
            try {
                candidate = EventCandidate.read(text, EventLimits.defaults());
            } catch (io.surfacelog.event.AdmissionException e) {
                throw e.at(events.size());
            }
            events.add(planner.fold(candidate));
        }
        return new FoldedLog(events, planner.surface());
    }

    List<SessionEvent> closers(RecoverySettings settings) {
        return Closers.of(surface, LogReader.of(events), settings);
    }

    /** The log with its closers, read again as text. */
    FoldedLog recovered(RecoverySettings settings) {
        List<String> texts = new ArrayList<>();
        events.forEach(event -> texts.add(event.toText()));
        closers(settings).forEach(event -> texts.add(event.toText()));
        return ofTexts(texts);
    }

    JsonArray nodes() {
        return Vectors.numbers(surface.nodeSeqs());
    }

    JsonArray messageSeqs() {
        return Vectors.numbers(surface.messageSeqs());
    }

    JsonArray messageIds() {
        return JsonArray.of(surface.messages().stream()
                .map(message -> JsonString.of(message.id()))
                .toList());
    }

    JsonArray replacements() {
        return JsonArray.of(Replacements.of(events).stream()
                .map(replacement -> JsonObject.builder()
                        .put("seq", replacement.seq())
                        .put("start", replacement.start())
                        .put("end", replacement.end())
                        .put("shadowed", replacement.shadowed().toJson())
                        .build())
                .toList());
    }

    /** A closer in the words of the vectors. */
    static JsonObject words(SessionEvent closer) {
        JsonObject data = (JsonObject) closer.data().value();
        JsonObject.Builder words = JsonObject.builder()
                .put("type", closer.type())
                .put("seq", closer.seq())
                .put("time", closer.time())
                .putIfPresent("turn", data.get("turn"))
                .putIfPresent("step", data.get("step"));
        if (closer.payload() instanceof ToolResult result) {
            words.put("callId", result.callId())
                    .put("isError", result.block().isError())
                    .put("code", result.error().orElseThrow().code());
        }
        closer.intent().ifPresent(intent -> {
            words.put("surfaceOp", intent.op().toJson());
            intent.sources().ifPresent(sources -> words.put("sourceEventSeqs", sources.toJson()));
        });
        if (closer.payload() instanceof TurnEnd end) {
            words.put("reason", end.reason().kind());
        }
        return words.build();
    }
}
