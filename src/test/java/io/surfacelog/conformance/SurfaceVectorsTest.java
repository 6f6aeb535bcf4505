package io.surfacelog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonObject;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceRules;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** surface.ndjson: admitted logs and their projection. */
class SurfaceVectorsTest {

    private final List<JsonObject> admitted = Vectors.read("surface").stream()
            .filter(vector -> vector.string("load").orElseThrow().equals("ok"))
            .toList();

    @Test
    void every_admitted_log_folds_to_the_recorded_surface() {
        Vectors.agree(admitted, 451, SurfaceVectorsTest::difference);
    }

    @Test
    void every_log_is_refused_that_the_recorded_full_read_refuses() {
        List<JsonObject> refused = Vectors.read("surface").stream()
                .filter(vector -> !vector.string("load").orElseThrow().equals("ok"))
                .toList();

        Vectors.agree(refused, 5, vector -> {
            try {
                FoldedLog.of(Vectors.items(vector, "log"));
                return "accepted";
            } catch (AdmissionException e) {
                return null;
            }
        });
    }

    @Test
    void folding_event_by_event_on_successive_surfaces_comes_to_the_same() {
        Vectors.agree(admitted, 451, vector -> {
            Surface surface = Surface.empty();
            for (Json event : Vectors.items(vector, "log")) {
                surface = surface.plan(
                                List.of(EventCandidate.of(event, EventLimits.defaults())), SurfaceRules.standard())
                        .after();
            }
            FoldedLog whole = FoldedLog.of(Vectors.items(vector, "log"));
            boolean same = Vectors.numbers(surface.nodeSeqs()).equals(whole.nodes())
                    && Vectors.numbers(surface.messageSeqs()).equals(whole.messageSeqs())
                    && surface.generation() == whole.surface().generation();
            return same ? null : "the incremental fold gives " + surface;
        });
    }

    @Test
    void every_admitted_log_is_admitted_again_from_its_own_text() {
        Vectors.agree(admitted, 451, vector -> {
            FoldedLog log = FoldedLog.of(Vectors.items(vector, "log"));
            FoldedLog again = FoldedLog.ofTexts(
                    log.events().stream().map(event -> event.toText()).toList());
            return again.events().equals(log.events())
                            && log.events().stream()
                                    .map(event -> event.toJson())
                                    .toList()
                                    .equals(Vectors.items(vector, "log"))
                    ? null
                    : "the events read back differ";
        });
    }

    private static @Nullable String difference(JsonObject vector) {
        FoldedLog log;
        try {
            log = FoldedLog.of(Vectors.items(vector, "log"));
        } catch (AdmissionException e) {
            return "refused: " + e.getMessage();
        }
        JsonObject found = JsonObject.builder()
                .put("nodes", log.nodes())
                .put("gen", log.surface().generation())
                .put("repl", log.replacements())
                .put("msgs", log.messageIds())
                .put("msgSeqs", log.messageSeqs())
                .put("reqHeader", requestHeader(log.surface()))
                .put("reqContext", requestContext(log.surface()))
                .build();
        for (String name : found.names()) {
            Json expected = vector.get(name) == null ? JsonNull.NULL : vector.get(name);
            if (!found.get(name).equals(expected)) {
                return name + " expected " + expected + ", found " + found.get(name);
            }
        }
        return null;
    }

    private static Json requestHeader(Surface surface) {
        return surface.requestHeader()
                .<Json>map(header -> header.normalHeader())
                .orElse(JsonNull.NULL);
    }

    private static Json requestContext(Surface surface) {
        return surface.requestContextEvent().map(event -> event.data().value()).orElse(JsonNull.NULL);
    }

    @Test
    void the_recorded_vectors_hold_all_kinds_of_replace() {
        String tags =
                admitted.stream().map(vector -> vector.get("tags")).toList().toString();

        assertThat(tags).contains("nested", "numeric-disorder", "whole", "rewrite-of-rewrite", "asst-replace");
    }
}
