package io.surfacelog.provider;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Replaces surrogates that stand alone, which UTF-8 cannot carry, by U+FFFD. */
final class WellFormed {

    private static final char REPLACEMENT = '\uFFFD';

    private WellFormed() {}

    /** The same text if it is well formed. */
    static String text(String text) {
        int bad = nextLone(text, 0);
        if (bad < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text);
        while (bad >= 0) {
            out.setCharAt(bad, REPLACEMENT);
            bad = nextLone(text, bad + 1);
        }
        return out.toString();
    }

    private static int nextLone(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else {
                return i;
            }
        }
        return -1;
    }

    /** The same value if all its names and strings are well formed. */
    static Json json(Json value) {
        if (value instanceof JsonString string) {
            String clean = text(string.value());
            return clean.equals(string.value()) ? value : JsonString.of(clean);
        }
        if (value instanceof JsonArray array) {
            return array(array);
        }
        return value instanceof JsonObject object ? object(object) : value;
    }

    private static Json array(JsonArray array) {
        List<Json> items = new ArrayList<>(array.size());
        boolean same = true;
        for (Json item : array.items()) {
            Json clean = json(item);
            same &= clean == item;
            items.add(clean);
        }
        return same ? array : JsonArray.of(items);
    }

    private static Json object(JsonObject object) {
        boolean same = true;
        JsonObject.Builder copy = JsonObject.builder();
        Set<String> taken = new HashSet<>(object.names());
        for (String name : object.names()) {
            Json value = java.util.Objects.requireNonNull(object.get(name));
            Json clean = json(value);
            String key = text(name);
            if (!key.equals(name)) {
                key = free(key, taken);
                same = false;
            }
            same &= clean == value;
            copy.put(key, clean);
        }
        return same ? object : copy.build();
    }

    /** Two names may differ in nothing but what was replaced. */
    private static String free(String key, Set<String> taken) {
        String candidate = key;
        for (int i = 2; !taken.add(candidate); i++) {
            candidate = key + "_" + i;
        }
        return candidate;
    }
}
