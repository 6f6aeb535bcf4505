package io.surfacelog.provider;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects violations, and looks for those that every provider sees alike. */
final class Violations {

    private static final int SHOWN = 60;

    private final List<Violation> found = new ArrayList<>();

    List<Violation> all() {
        return List.copyOf(found);
    }

    void add(ViolationRule rule, String at, String expected, @Nullable Json value) {
        found.add(new Violation(rule.code(), at, "expected " + expected + ", found " + shown(value)));
    }

    void require(boolean holds, ViolationRule rule, String at, String expected, @Nullable Json value) {
        if (!holds) {
            add(rule, at, expected, value);
        }
    }

    /** A model by its name. */
    void model(JsonObject request) {
        Json model = request.get("model");
        require(isVisible(model), ViolationRule.MODEL, "model", "the name of a model", model);
    }

    void temperature(JsonObject request, int max) {
        Json value = request.get("temperature");
        boolean holds = value == null
                || (value instanceof JsonNumber number && number.doubleValue() >= 0 && number.doubleValue() <= max);
        require(holds, ViolationRule.TEMPERATURE, "temperature", "a number from 0 to " + max, value);
    }

    void count(JsonObject request, String name, boolean mandatory) {
        Json value = request.get(name);
        boolean holds = value == null ? !mandatory : request.longValue(name).orElse(0) > 0;
        require(holds, ViolationRule.MAX_TOKENS, name, "an integer from 1", value);
    }

    /** A tool's name, once, and the schema of its arguments. */
    void tool(String at, @Nullable Json name, @Nullable Json schema, Pattern names, Set<String> seen) {
        if (!(name instanceof JsonString text) || !names.matcher(text.value()).matches()) {
            add(ViolationRule.TOOL_NAME, at + ".name", "a name that matches " + names, name);
        } else if (!seen.add(text.value())) {
            add(ViolationRule.TOOL_NAME_TWICE, at + ".name", "each name once", name);
        }
        boolean object = schema instanceof JsonObject parameters
                && parameters.string("type").filter("object"::equals).isPresent()
                && List.of("oneOf", "anyOf", "allOf", "enum", "not").stream().noneMatch(parameters::has);
        require(object, ViolationRule.TOOL_SCHEMA, at, "a schema of type object without a choice at its top", schema);
    }

    /** Everything that is text, at any depth, can be written as UTF-8. */
    void wellFormed(JsonObject request) {
        wellFormed("", request);
    }

    private void wellFormed(String at, Json value) {
        if (value instanceof JsonString text) {
            wellFormedText(at, text.value());
        } else if (value instanceof JsonArray array) {
            for (int i = 0; i < array.size(); i++) {
                wellFormed(at + "[" + i + "]", array.get(i));
            }
        } else if (value instanceof JsonObject object) {
            object.forEach((name, member) -> {
                String place = at.isEmpty() ? name : at + "." + name;
                wellFormedText(place, name);
                wellFormed(place, member);
            });
        }
    }

    private void wellFormedText(String at, String text) {
        require(
                StandardCharsets.UTF_8.newEncoder().canEncode(text),
                ViolationRule.UNICODE,
                at,
                "text that is well-formed Unicode",
                JsonString.of(text));
    }

    static boolean isVisible(@Nullable Json value) {
        return value instanceof JsonString text && !text.value().isBlank();
    }

    private static String shown(@Nullable Json value) {
        if (value == null) {
            return "nothing";
        }
        if (value instanceof JsonObject object && object.size() > 3) {
            return "an object with the members " + object.names();
        }
        String text = value.toText();
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
