package io.surfacelog.event;

import java.util.Objects;

/** A JSON string of any UTF-16 units, NUL and lone surrogates included. */
public record JsonString(String value) implements Json {

    public JsonString {
        Objects.requireNonNull(value, "value");
    }

    public static JsonString of(String value) {
        return new JsonString(value);
    }

    @Override
    public String toString() {
        return toText();
    }
}
