package io.surfacelog.event;

/**
 * What a compaction or a pruning takes off the surface.
 *
 * @param start first node of the range, by position
 * @param end last node of the range, by position
 * @param seqs the nodes of the range in surface order
 * @param tokenCount what they were estimated to cost, in tokens
 */
public record Shadowed(long start, long end, EventSeqs seqs, long tokenCount) {

    static Shadowed of(JsonObject json) {
        JsonObject range = Shape.object(json, "shadowedRange");
        EventSeqs.Builder seqs = EventSeqs.builder();
        for (Json item : Shape.array(json, "shadowedSeqs").items()) {
            seqs.add((item instanceof JsonNumber number ? number.safeInteger() : java.util.OptionalLong.empty())
                    .stream()
                            .filter(seq -> seq >= 0)
                            .findFirst()
                            .orElseThrow(() -> Shape.fault("shadowedSeqs to hold seqs", item)));
        }
        return new Shadowed(
                Shape.integer(range, "start", 0),
                Shape.integer(range, "end", 0),
                seqs.build(),
                Shape.integer(json, "shadowedTokenCount", 0));
    }

    JsonObject.Builder addTo(JsonObject.Builder data) {
        return data.put(
                        "shadowedRange",
                        JsonObject.builder().put("start", start).put("end", end).build())
                .put("shadowedSeqs", seqs.toJson())
                .put("shadowedTokenCount", tokenCount);
    }
}
