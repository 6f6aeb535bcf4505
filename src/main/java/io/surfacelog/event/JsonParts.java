package io.surfacelog.event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A JSON object read in parts, so that a value that breaks a rule spoils only the part it stands in. Each member is a
 * part; of the one member that is named, if it is an array, each item is. Depth counts from the part as level 1.
 *
 * <pre>{@code
 * JsonParts parts = JsonParts.read("{\"id\":7,\"log\":[-0,1]}", "log");
 * parts.member("id").admitted(); // 7
 * parts.items().get(0).admitted(); // throws json.lossless
 * }</pre>
 *
 * <p>For texts that hold several events, of which each is to be judged by itself. Immutable.
 */
public final class JsonParts {

    /**
     * A value and the first of the value rules that it breaks.
     *
     * @param value the value as far as it can be told; of a key that stands twice, both members
     * @param fault {@code json.syntax}, {@code json.lossless} or {@code limit.depth}; null if there is none
     */
    public record Part(Json value, @Nullable AdmissionException fault) {

        /**
         * The value.
         *
         * @throws AdmissionException the fault, without a place
         */
        public Json admitted() {
            if (fault != null) {
                throw fault;
            }
            return value;
        }
    }

    private final Map<String, Part> members;
    private final @Nullable List<Part> items;

    private JsonParts(Map<String, Part> members, @Nullable List<Part> items) {
        this.members = members;
        this.items = items;
    }

    /**
     * Reads one text. Cost: O(length).
     *
     * @param list name of the member whose items are parts
     * @throws AdmissionException {@code json.syntax} if the text is not one JSON object, or has a key of its own twice
     */
    public static JsonParts read(String text, String list) {
        try (JsonParser parser = JsonReader.open(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw syntax("expected a JSON object, found nothing");
            }
            if (first != JsonToken.START_OBJECT) {
                Json other = JsonReader.read(parser).value();
                requireEnd(parser);
                throw syntax("expected a JSON object, found " + Shape.found(other));
            }
            JsonParts parts = members(parser, list);
            requireEnd(parser);
            return parts;
        } catch (JacksonException e) {
            throw JsonReader.syntax(e);
        }
    }

    private static JsonParts members(JsonParser parser, String list) {
        Map<String, Part> members = new LinkedHashMap<>();
        List<Part> items = null;
        String twice = null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            boolean known = members.containsKey(name) || (name.equals(list) && items != null);
            twice = known && twice == null ? name : twice;
            if (parser.nextToken() == JsonToken.START_ARRAY && name.equals(list)) {
                items = items(parser);
            } else {
                members.put(name, part(parser));
            }
        }
        if (twice != null) {
            throw syntax("expected each key once in an object, found " + JsonString.of(twice) + " twice");
        }
        return new JsonParts(members, items);
    }

    private static List<Part> items(JsonParser parser) {
        List<Part> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(part(parser));
        }
        return items;
    }

    private static Part part(JsonParser parser) {
        JsonReader.Reading reading = JsonReader.read(parser);
        return new Part(reading.value(), reading.fault());
    }

    private static void requireEnd(JsonParser parser) {
        if (parser.nextToken() != null) {
            throw syntax("expected the end after one JSON value, found more");
        }
    }

    private static AdmissionException syntax(String detail) {
        return new AdmissionException(AdmissionRule.JSON_SYNTAX, detail);
    }

    /** The member of this name, null if there is none or if it is the list. */
    public @Nullable Part member(String name) {
        return members.get(name);
    }

    /** All members but the list. Unmodifiable, in the order of the text. */
    public Map<String, Part> members() {
        return java.util.Collections.unmodifiableMap(members);
    }

    /** The items of the list; null if there is no such member or if it is no array. */
    public @Nullable List<Part> items() {
        return items == null ? null : java.util.Collections.unmodifiableList(items);
    }
}
