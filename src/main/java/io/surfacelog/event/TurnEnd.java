package io.surfacelog.event;

/**
 * A turn is over, for a reason.
 *
 * @param json the data, with an integer {@code turn} from 1 and a {@code reason} that has a kind
 */
public record TurnEnd(JsonObject json) implements LogOnlyPayload {

    public TurnEnd {
        Shape.integer(json, "turn", 1);
        new TurnEndReason(Shape.object(json, "reason"));
    }

    public static TurnEnd of(long turn, TurnEndReason reason) {
        return new TurnEnd(JsonObject.builder()
                .put("turn", turn)
                .put("reason", reason.json())
                .build());
    }

    public long turn() {
        return Shape.integer(json, "turn", 1);
    }

    public TurnEndReason reason() {
        return new TurnEndReason(Shape.object(json, "reason"));
    }

    @Override
    public String type() {
        return EventType.TURN_END;
    }
}
