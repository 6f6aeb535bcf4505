package io.surfacelog.event;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object: members in the order in which they were written, each name once. Look-up costs O(1).
 *
 * <pre>{@code
 * JsonObject place = JsonObject.builder().put("turn", 1).put("step", 2).build();
 * place.longValue("step"); // OptionalLong[2]
 * }</pre>
 */
public final class JsonObject implements Json {

    public static final JsonObject EMPTY = new JsonObject(new String[0], new Json[0]);

    private static final int LINEAR = 8;

    private final String[] names;
    private final Json[] values;
    private @Nullable Map<String, Integer> index;

    JsonObject(String[] names, Json[] values) {
        this.names = names;
        this.values = values;
    }

    public static Builder builder() {
        return new Builder();
    }

    public int size() {
        return names.length;
    }

    public boolean isEmpty() {
        return names.length == 0;
    }

    /** The member of this name, or null if there is none (a JSON null is {@link JsonNull#NULL}). */
    public @Nullable Json get(String name) {
        int at = indexOf(name);
        return at < 0 ? null : values[at];
    }

    public boolean has(String name) {
        return indexOf(name) >= 0;
    }

    /** The member as a string; empty if it is absent or no string. */
    public Optional<String> string(String name) {
        return get(name) instanceof JsonString string ? Optional.of(string.value()) : Optional.empty();
    }

    /** The member as an integer between −(2^53−1) and 2^53−1; empty if it is absent or none. */
    public OptionalLong longValue(String name) {
        return get(name) instanceof JsonNumber number ? number.safeInteger() : OptionalLong.empty();
    }

    /** The member as an object; empty if it is absent or none. */
    public Optional<JsonObject> object(String name) {
        return get(name) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
    }

    /** The member as an array; empty if it is absent or none. */
    public Optional<JsonArray> array(String name) {
        return get(name) instanceof JsonArray array ? Optional.of(array) : Optional.empty();
    }

    /** Whether the member is {@code true}. */
    public boolean isTrue(String name) {
        return get(name) == JsonBoolean.TRUE;
    }

    /** The names of the members, in order. */
    public List<String> names() {
        return List.of(names);
    }

    /** Calls the action with each member, in order. */
    public void forEach(BiConsumer<String, Json> action) {
        for (int i = 0; i < names.length; i++) {
            action.accept(names[i], values[i]);
        }
    }

    /** A copy in which the member has this value, in its old place or, if new, at the end. */
    public JsonObject with(String name, Json value) {
        int at = indexOf(name);
        boolean added = at < 0;
        int length = added ? names.length + 1 : names.length;
        String[] newNames = Arrays.copyOf(names, length);
        Json[] newValues = Arrays.copyOf(values, length);
        int place = added ? length - 1 : at;
        newNames[place] = name;
        newValues[place] = value;
        return new JsonObject(newNames, newValues);
    }

    /** A copy without the member. */
    public JsonObject without(String name) {
        if (!has(name)) {
            return this;
        }
        Builder copy = builder();
        forEach((key, value) -> {
            if (!key.equals(name)) {
                copy.put(key, value);
            }
        });
        return copy.build();
    }

    String nameAt(int i) {
        return names[i];
    }

    Json valueAt(int i) {
        return values[i];
    }

    private int indexOf(String name) {
        if (names.length <= LINEAR) {
            for (int i = 0; i < names.length; i++) {
                if (names[i].equals(name)) {
                    return i;
                }
            }
            return -1;
        }
        Map<String, Integer> places = index;
        if (places == null) {
            places = new HashMap<>(names.length * 2);
            for (int i = 0; i < names.length; i++) {
                places.put(names[i], i);
            }
            index = places;
        }
        return places.getOrDefault(name, -1);
    }

    /** The first name that stands twice, or null. */
    static @Nullable String duplicate(List<String> names) {
        if (names.size() <= LINEAR) {
            for (int i = 1; i < names.size(); i++) {
                for (int j = 0; j < i; j++) {
                    if (names.get(i).equals(names.get(j))) {
                        return names.get(i);
                    }
                }
            }
            return null;
        }
        Set<String> seen = new HashSet<>(names.size() * 2);
        for (String name : names) {
            if (!seen.add(name)) {
                return name;
            }
        }
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof JsonObject that) || that.names.length != names.length) {
            return false;
        }
        for (int i = 0; i < names.length; i++) {
            // same order is the common case: try the same place first
            Json found = that.names[i].equals(names[i]) ? that.values[i] : that.get(names[i]);
            if (found == null || !values[i].equals(found)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = names.length;
        for (String name : names) {
            hash += name.hashCode();
        }
        return hash;
    }

    @Override
    public String toString() {
        return toText();
    }

    /** Collects members in order; not safe for use by several threads. */
    public static final class Builder {

        private final Map<String, Json> members = new java.util.LinkedHashMap<>();

        private Builder() {}

        /** Sets the member, replacing an earlier one of the same name. */
        public Builder put(String name, Json value) {
            members.put(name, value);
            return this;
        }

        public Builder put(String name, String value) {
            return put(name, JsonString.of(value));
        }

        public Builder put(String name, long value) {
            return put(name, JsonNumber.of(value));
        }

        public Builder put(String name, boolean value) {
            return put(name, JsonBoolean.of(value));
        }

        /** Sets the member if the value is not null. */
        public Builder putIfPresent(String name, @Nullable Object value) {
            return value == null ? this : put(name, Json.of(value));
        }

        public JsonObject build() {
            return members.isEmpty()
                    ? EMPTY
                    : new JsonObject(
                            members.keySet().toArray(String[]::new),
                            members.values().toArray(Json[]::new));
        }
    }
}
