package io.surfacelog.cli;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.surface.Finding;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A surface as JSON, in the words that {@code check} uses. */
final class SurfaceJson {

    private SurfaceJson() {}

    /** The surface, with its findings if they are to be relied on. */
    static JsonObject of(Surface surface, boolean withFindings) {
        JsonObject.Builder json = JsonObject.builder()
                .put("events", surface.nextSeq())
                .put("nodes", seqs(surface.nodeSeqs()))
                .put("generation", surface.generation())
                .put("messageSeqs", seqs(surface.messageSeqs()))
                .put("requestHeader", requestHeader(surface))
                .put("requestContext", requestContext(surface));
        return (withFindings ? json.put("findings", array(surface.findings(), SurfaceJson::finding)) : json).build();
    }

    static Json requestHeader(Surface surface) {
        return surface.requestHeader()
                .<Json>map(header -> header.normalHeader())
                .orElse(JsonNull.NULL);
    }

    static Json requestContext(Surface surface) {
        return surface.requestContextEvent().map(event -> event.data().value()).orElse(JsonNull.NULL);
    }

    static Json finding(Finding finding) {
        return JsonObject.builder()
                .put("rule", finding.rule().code())
                .put("seq", finding.seq())
                .put("message", finding.message())
                .build();
    }

    static JsonArray seqs(long[] seqs) {
        List<Json> items = new ArrayList<>(seqs.length);
        for (long seq : seqs) {
            items.add(JsonNumber.of(seq));
        }
        return JsonArray.of(items);
    }

    static <T> JsonArray array(List<T> values, Function<T, Json> toJson) {
        List<Json> items = new ArrayList<>(values.size());
        for (T value : values) {
            items.add(toJson.apply(value));
        }
        return JsonArray.of(items);
    }
}
