package io.surfacelog.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads members of a fixed type and refuses others as {@code payload.shape}. */
final class Shape {

    private Shape() {}

    static JsonObject object(Json json, String what) {
        if (json instanceof JsonObject object) {
            return object;
        }
        throw fault(what + " to be an object", json);
    }

    static long integer(JsonObject object, String name, long min) {
        return object.longValue(name).stream()
                .filter(value -> value >= min)
                .findFirst()
                .orElseThrow(() -> fault(name + " to be an integer from " + min, object.get(name)));
    }

    static String text(JsonObject object, String name) {
        return object.string(name).orElseThrow(() -> fault(name + " to be a string", object.get(name)));
    }

    static JsonObject object(JsonObject object, String name) {
        return object.object(name).orElseThrow(() -> fault(name + " to be an object", object.get(name)));
    }

    static JsonArray array(JsonObject object, String name) {
        return object.array(name).orElseThrow(() -> fault(name + " to be an array", object.get(name)));
    }

    static <T> List<T> objects(JsonArray array, String what, Function<JsonObject, T> view) {
        List<T> views = new ArrayList<>(array.size());
        for (Json item : array.items()) {
            views.add(view.apply(object(item, what)));
        }
        return List.copyOf(views);
    }

    /** The typed view, or empty if the value does not have its shape. */
    static <T> Optional<T> view(@Nullable Json json, Function<JsonObject, T> view) {
        if (!(json instanceof JsonObject object)) {
            return Optional.empty();
        }
        try {
            return Optional.of(view.apply(object));
        } catch (AdmissionException notThatShape) {
            return Optional.empty();
        }
    }

    static AdmissionException fault(String expected, @Nullable Json found) {
        return new AdmissionException(AdmissionRule.PAYLOAD_SHAPE, "expected " + expected + ", found " + found(found));
    }

    /** What stands there, short enough for a message. */
    static String found(@Nullable Json json) {
        if (json == null) {
            return "nothing";
        }
        if (json instanceof JsonObject object) {
            return "an object with "
                    + (object.isEmpty()
                            ? "no members"
                            : "the members "
                                    + object.names().stream()
                                            .limit(12)
                                            .map(name -> JsonReader.abridged(
                                                    JsonString.of(name).toText()))
                                            .toList());
        }
        if (json instanceof JsonArray array) {
            return "an array of " + array.size();
        }
        return JsonReader.abridged(json.toText());
    }
}
