package io.surfacelog.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable JSON value that loses nothing: numbers keep their digits as written, strings may hold any UTF-16 units,
 * objects keep the order of their members. Two values are {@linkplain Object#equals equal} when they are the same JSON value:
 * member order and the spelling of numbers do not matter ({@code 1.0} equals {@code 1}).
 *
 * <pre>{@code
 * Json value = Json.parse("{\"id\":9007199254740993}");
 * value.toText(); // {"id":9007199254740993}
 * }</pre>
 *
 * <p>Parsing applies the value rules of the format: {@code json.syntax} (also for a duplicate key), {@code
 * json.lossless} and {@code limit.depth}. Safe for use by several threads.
 */
public sealed interface Json permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

    /** The deepest nesting a value may have inside an event, whose own object is level 1. */
    int MAX_DEPTH = 2_000;

    /**
     * Parses one JSON text. Cost: O(length).
     *
     * @throws AdmissionException {@code json.syntax}, {@code json.lossless} or {@code limit.depth}
     */
    static Json parse(String text) {
        return JsonReader.parse(text);
    }

    /**
     * The JSON value of a Java value: {@code null}, {@link Boolean}, {@link Number}, {@link CharSequence}, {@link Map}
     * with string keys, {@link Iterable} or {@link Json} itself.
     *
     * @throws AdmissionException {@code json.lossless} for NaN, an infinity or negative zero
     * @throws IllegalArgumentException for any other type
     */
    static Json of(@Nullable Object value) {
        if (value == null) {
            return JsonNull.NULL;
        }
        if (value instanceof Json json) {
            return json;
        }
        if (value instanceof CharSequence text) {
            return JsonString.of(text.toString());
        }
        if (value instanceof Boolean flag) {
            return JsonBoolean.of(flag);
        }
        if (value instanceof Number number) {
            return JsonNumber.of(number);
        }
        if (value instanceof Map<?, ?> map) {
            JsonObject.Builder object = JsonObject.builder();
            map.forEach((key, member) -> object.put(String.valueOf(key), of(member)));
            return object.build();
        }
        if (value instanceof Iterable<?> items) {
            List<Json> array = new ArrayList<>();
            items.forEach(item -> array.add(of(item)));
            return JsonArray.of(array);
        }
        throw new IllegalArgumentException("no JSON value can be made of a "
                + value.getClass().getName() + "; expected null, Boolean, Number, CharSequence, Map, Iterable or Json");
    }

    /**
     * The value as compact JSON: no white space, members in their order, digits as written, strings escaped only where
     * JSON demands it, a lone surrogate as a {@code \}{@code udXXX} escape. Cost: O(size).
     */
    default String toText() {
        StringBuilder out = new StringBuilder(64);
        JsonWriter.write(this, out);
        return out.toString();
    }
}
