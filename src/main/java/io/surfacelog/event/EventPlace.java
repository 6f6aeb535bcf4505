package io.surfacelog.event;

import org.jspecify.annotations.Nullable;

/**
 * Where an event says that it stands: the turn and step its data names, and whether it is the chunk that ends a stream.
 *
 * @param turn the turn, 0 where the data names none
 * @param step the step, 0 where the data names none
 * @param finish whether it is a {@code finish} chunk
 */
public record EventPlace(long turn, long step, boolean finish) {

    /** Of an event whose data names neither turn nor step. */
    public static final EventPlace NONE = new EventPlace(0, 0, false);

    private static final EventPlace FIRST = new EventPlace(1, 1, false);

    static EventPlace of(String type, Json data) {
        if (!(data instanceof JsonObject object)) {
            return NONE;
        }
        long turn = number(object.get("turn"));
        long step = number(object.get("step"));
        boolean finish = type.equals(EventType.ASSISTANT_CHUNK)
                && object.get("chunk") instanceof JsonObject chunk
                && chunk.get("type") instanceof JsonString kind
                && kind.value().equals("finish");
        if (turn == 0 && step == 0 && !finish) {
            return NONE;
        }
        return turn == 1 && step == 1 && !finish ? FIRST : new EventPlace(turn, step, finish);
    }

    private static long number(@Nullable Json json) {
        return json instanceof JsonNumber number ? number.safeInteger().orElse(0) : 0;
    }
}
