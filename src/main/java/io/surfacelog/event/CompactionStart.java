package io.surfacelog.event;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A compaction begins; until its {@code compaction/end} it holds the session's compaction bracket.
 *
 * @param json the data, with a string {@code compactionId} and {@code turn}, an integer or null
 */
public record CompactionStart(JsonObject json) implements LogOnlyPayload {

    public CompactionStart {
        Shape.text(json, "compactionId");
    }

    /** A compaction asked for in this turn, or outside of any when turn is null. */
    public static CompactionStart of(String compactionId, @Nullable Long turn) {
        return new CompactionStart(JsonObject.builder()
                .put("compactionId", compactionId)
                .put("turn", Json.of(turn))
                .build());
    }

    public String compactionId() {
        return Shape.text(json, "compactionId");
    }

    /** The command that asked for it. */
    public Optional<String> sourceCommandId() {
        return json.string("sourceCommandId");
    }

    /** The turn in which it was asked for, empty outside of one. */
    public OptionalLong turn() {
        return json.longValue("turn");
    }

    @Override
    public String type() {
        return EventType.COMPACTION_START;
    }
}
