package io.surfacelog.event;

/**
 * One answer to queued input begins.
 *
 * @param json the data, with an integer {@code turn} from 1
 */
public record TurnStart(JsonObject json) implements LogOnlyPayload {

    public TurnStart {
        Shape.integer(json, "turn", 1);
    }

    public static TurnStart of(long turn) {
        return new TurnStart(JsonObject.builder().put("turn", turn).build());
    }

    public long turn() {
        return Shape.integer(json, "turn", 1);
    }

    @Override
    public String type() {
        return EventType.TURN_START;
    }
}
