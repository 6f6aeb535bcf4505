package io.surfacelog.event;

/**
 * A step is over.
 *
 * @param json the data, with an integer {@code turn} and an integer {@code step} from 1
 */
public record StepEnd(JsonObject json) implements LogOnlyPayload {

    public StepEnd {
        Shape.integer(json, "turn", 1);
        Shape.integer(json, "step", 1);
    }

    public static StepEnd of(long turn, long step) {
        return new StepEnd(
                JsonObject.builder().put("turn", turn).put("step", step).build());
    }

    public long turn() {
        return Shape.integer(json, "turn", 1);
    }

    public long step() {
        return Shape.integer(json, "step", 1);
    }

    @Override
    public String type() {
        return EventType.STEP_END;
    }
}
