package io.surfacelog.event;

/**
 * The end of an inherited prefix: what stands before it was replayed or shared, what follows is the session's own.
 *
 * @param json the data, usually empty
 */
public record SessionEndSeed(JsonObject json) implements LogOnlyPayload {

    public static SessionEndSeed of() {
        return new SessionEndSeed(JsonObject.EMPTY);
    }

    @Override
    public String type() {
        return EventType.SESSION_END_SEED;
    }
}
