package io.surfacelog.event;

import java.util.UUID;

/**
 * Names one session. Any non-empty text is an id: ids are opaque, compared unit by unit, never turned into a path.
 *
 * @param value the id, at least one UTF-16 unit
 */
public record SessionId(String value) implements Comparable<SessionId> {

    public SessionId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a session id must not be empty");
        }
    }

    public static SessionId of(String value) {
        return new SessionId(value);
    }

    /** A new random id (UUID version 4). */
    public static SessionId random() {
        return new SessionId(UUID.randomUUID().toString());
    }

    @Override
    public int compareTo(SessionId other) {
        return value.compareTo(other.value);
    }

    /** The id itself. */
    @Override
    public String toString() {
        return value;
    }
}
