package io.surfacelog.event;

import java.util.Optional;

/**
 * The summary a compaction made, with what it hides and how it was made.
 *
 * @param json the data, with {@code compactionId}, {@code summary}, {@code shadowedRange}, {@code shadowedSeqs}, {@code
 *     shadowedTokenCount}, {@code provider} and {@code model}
 */
public record CompactionSummary(JsonObject json) implements LogOnlyPayload {

    public CompactionSummary {
        Shape.text(json, "compactionId");
        Shape.array(json, "summary");
        Shadowed.of(json);
        Shape.text(json, "provider");
        Shape.text(json, "model");
    }

    public static CompactionSummary of(
            String compactionId, JsonArray summary, Shadowed shadowed, String provider, String model) {
        JsonObject.Builder data =
                JsonObject.builder().put("compactionId", compactionId).put("summary", summary);
        shadowed.addTo(data);
        return new CompactionSummary(
                data.put("provider", provider).put("model", model).build());
    }

    public String compactionId() {
        return Shape.text(json, "compactionId");
    }

    /** The blocks of the summary. */
    public JsonArray summary() {
        return Shape.array(json, "summary");
    }

    public Shadowed shadowed() {
        return Shadowed.of(json);
    }

    public String provider() {
        return Shape.text(json, "provider");
    }

    public String model() {
        return Shape.text(json, "model");
    }

    public Optional<Usage> usage() {
        return Shape.view(json.get("usage"), Usage::new);
    }

    @Override
    public String type() {
        return EventType.COMPACTION_SUMMARY;
    }
}
