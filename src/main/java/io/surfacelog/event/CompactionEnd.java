package io.surfacelog.event;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A compaction is over; with an error, it has left the surface as it was.
 *
 * @param json the data, with a string {@code compactionId} and {@code turn}, an integer or null
 */
public record CompactionEnd(JsonObject json) implements LogOnlyPayload {

    public CompactionEnd {
        Shape.text(json, "compactionId");
    }

    /** The end of a compaction; error is null where it succeeded. */
    public static CompactionEnd of(String compactionId, @Nullable Long turn, @Nullable Json error) {
        return new CompactionEnd(JsonObject.builder()
                .put("compactionId", compactionId)
                .put("turn", Json.of(turn))
                .putIfPresent("error", error)
                .build());
    }

    public String compactionId() {
        return Shape.text(json, "compactionId");
    }

    /** The turn in which it was asked for, empty outside of one. */
    public OptionalLong turn() {
        return json.longValue("turn");
    }

    /** Why it failed, null where it succeeded. */
    public @Nullable Json error() {
        return json.get("error");
    }

    @Override
    public String type() {
        return EventType.COMPACTION_END;
    }
}
