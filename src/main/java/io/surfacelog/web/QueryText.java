package io.surfacelog.web;

import io.surfacelog.event.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the query of a URL strictly: a parameter that is misspelt must not count as one that is absent. */
final class QueryText {

    private static final int LONGEST = 16;

    private QueryText() {}

    static Map<String, String> parse(@Nullable String query, Set<String> known) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = UrlText.decode(equals < 0 ? part : part.substring(0, equals));
            String value =
                    equals < 0 ? "" : UrlText.decode(part.substring(equals + 1).replace('+', ' '));
            if (!known.contains(name)) {
                throw ProblemException.badRequest("expected "
                        + (known.isEmpty() ? "no parameters" : "only the parameters " + new TreeSet<>(known))
                        + ", found " + Json.of(name));
            }
            if (parameters.put(name, value) != null) {
                throw ProblemException.badRequest("expected the parameter " + name + " once, found it twice");
            }
        }
        return parameters;
    }

    /** An integer from 0 to 2^53-1. */
    static long number(String name, String text) {
        boolean digits =
                !text.isEmpty() && text.length() <= LONGEST && text.chars().allMatch(c -> c >= '0' && c <= '9');
        long value = digits ? Long.parseLong(text) : -1;
        if (value < 0 || value > 9_007_199_254_740_991L) {
            throw ProblemException.badRequest(
                    "expected " + name + " to be an integer from 0 to 2^53-1, found " + Json.of(text));
        }
        return value;
    }
}
