package io.surfacelog.event;

/**
 * Data whose shape is not known here: an application's own type, an ignorable one, or a known type with other members.
 *
 * @param type the event type
 * @param json the data
 */
public record OpaquePayload(String type, Json json) implements LogOnlyPayload {

    public OpaquePayload {
        if (type.isEmpty()) {
            throw new IllegalArgumentException("an event type must not be empty");
        }
    }

    public static OpaquePayload of(String type, Json json) {
        return new OpaquePayload(type, json);
    }
}
