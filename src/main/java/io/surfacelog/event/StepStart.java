package io.surfacelog.event;

/**
 * One model call with the tool runs it asks for begins.
 *
 * @param json the data, with an integer {@code turn} and an integer {@code step} from 1
 */
public record StepStart(JsonObject json) implements LogOnlyPayload {

    public StepStart {
        Shape.integer(json, "turn", 1);
        Shape.integer(json, "step", 1);
    }

    public static StepStart of(long turn, long step) {
        return new StepStart(
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
        return EventType.STEP_START;
    }
}
