package io.surfacelog.web;

import io.surfacelog.event.Json;
import java.util.Optional;

/** Looks into compact JSON for one member of an object, and reads none of the others. */
final class JsonMember {

    private JsonMember() {}

    /**
     * The member of this name, not that of an object within. Cost: O(characters), none of which is kept but those of the
     * member.
     *
     * @param object compact JSON of an object, in which this name needs no escape
     */
    static Optional<Json> of(String object, String name) {
        String key = '"' + name + "\":";
        if (!object.contains(key)) {
            return Optional.empty();
        }
        int depth = 0;
        for (int at = 0; at < object.length(); at++) {
            switch (object.charAt(at)) {
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                case '"' -> {
                    if (depth == 1 && object.startsWith(key, at)) {
                        int from = at + key.length();
                        return Optional.of(Json.parse(object.substring(from, endOfValue(object, from))));
                    }
                    at = endOfString(object, at);
                }
                default -> {
                    // what stands between names and values
                }
            }
        }
        return Optional.empty();
    }

    private static int endOfValue(String object, int from) {
        int depth = 0;
        for (int at = from; at < object.length(); at++) {
            switch (object.charAt(at)) {
                case '{', '[' -> depth++;
                case '}', ']', ',' -> {
                    if (depth == 0) {
                        return at;
                    }
                    depth -= object.charAt(at) == ',' ? 0 : 1;
                }
                case '"' -> at = endOfString(object, at);
                default -> {
                    // a part of a number or a literal
                }
            }
        }
        return object.length();
    }

    /** Where the string that begins here has its closing quote. */
    private static int endOfString(String object, int begin) {
        for (int end = object.indexOf('"', begin + 1); end >= 0; end = object.indexOf('"', end + 1)) {
            int backslash = end;
            while (object.charAt(backslash - 1) == '\\') {
                backslash--;
            }
            if ((end - backslash) % 2 == 0) {
                return end;
            }
        }
        return object.length();
    }
}
