package io.surfacelog.cli;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonBoolean;
import io.surfacelog.event.JsonObject;
import io.surfacelog.provider.Adjustment;
import io.surfacelog.provider.Provider;
import io.surfacelog.provider.RenderedRequest;
import io.surfacelog.provider.Violation;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The request that a surface comes to.
 *
 * @param rendered the request
 * @param violations what its provider would refuse all the same; empty as long as the renderer is right
 * @param nodes the nodes of the derived messages
 */
record SurfaceRequest(RenderedRequest rendered, List<Violation> violations, List<SurfaceNode> nodes) {

    static SurfaceRequest of(Provider provider, Surface surface) {
        RenderedRequest rendered = provider.render(surface.requestHeader(), surface.messages());
        return new SurfaceRequest(rendered, provider.validate(rendered.body()), surface.messageNodes());
    }

    boolean ok() {
        return violations.isEmpty();
    }

    /** The verdict, without the request itself. */
    JsonObject verdict() {
        return JsonObject.builder()
                .put("provider", word())
                .put("ok", JsonBoolean.of(ok()))
                .put("violations", SurfaceJson.array(violations, SurfaceRequest::violation))
                .put("adjustments", SurfaceJson.array(rendered.adjustments(), this::adjustment))
                .build();
    }

    /** The verdict and the request. */
    JsonObject whole() {
        JsonObject.Builder names = JsonObject.builder();
        rendered.toolNames().forEach(names::put);
        return verdict().with("toolNames", names.build()).with("request", rendered.body());
    }

    /** A sentence for each adjustment and each violation. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        for (Adjustment adjustment : rendered.adjustments()) {
            OptionalLong seq = seq(adjustment);
            sentences.add("adjusted for " + word() + ": " + adjustment.rule()
                    + (seq.isPresent() ? " at event " + seq.getAsLong() : "") + ": " + adjustment.detail() + ".");
        }
        for (Violation violation : violations) {
            sentences.add("refused by " + word() + ": " + violation.rule() + " at " + violation.at() + ": "
                    + violation.message() + ".");
        }
        return sentences;
    }

    private String word() {
        return rendered.provider().name().toLowerCase(Locale.ROOT);
    }

    private OptionalLong seq(Adjustment adjustment) {
        return adjustment.message() < 0
                ? OptionalLong.empty()
                : OptionalLong.of(nodes.get(adjustment.message()).seq());
    }

    private Json adjustment(Adjustment adjustment) {
        JsonObject.Builder json = JsonObject.builder().put("rule", adjustment.rule());
        seq(adjustment).ifPresent(seq -> json.put("seq", seq));
        return json.put("detail", adjustment.detail()).build();
    }

    private static Json violation(Violation violation) {
        return JsonObject.builder()
                .put("rule", violation.rule())
                .put("at", violation.at())
                .put("message", violation.message())
                .build();
    }
}
