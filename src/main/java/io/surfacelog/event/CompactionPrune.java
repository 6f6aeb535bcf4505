package io.surfacelog.event;

/**
 * A tool result is about to be replaced by a shorter one.
 *
 * @param json the data, with {@code shadowedRange}, {@code shadowedSeqs} and {@code shadowedTokenCount}
 */
public record CompactionPrune(JsonObject json) implements LogOnlyPayload {

    public CompactionPrune {
        Shadowed.of(json);
    }

    public static CompactionPrune of(Shadowed shadowed) {
        return new CompactionPrune(shadowed.addTo(JsonObject.builder()).build());
    }

    public Shadowed shadowed() {
        return Shadowed.of(json);
    }

    @Override
    public String type() {
        return EventType.COMPACTION_PRUNE;
    }
}
