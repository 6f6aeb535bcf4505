package io.surfacelog.web;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * One operation: method and path, and what answers it.
 *
 * @param method the HTTP method
 * @param path its path below the base path, with names in braces
 * @param parameters the query parameters it knows
 * @param handler what answers it
 */
record Route(String method, String path, Set<String> parameters, Handler handler) {

    /** Answers a request. */
    interface Handler {
        void handle(Call call) throws IOException;
    }

    static Route get(String path, Handler handler, String... parameters) {
        return new Route("GET", path, Set.of(parameters), handler);
    }

    static Route post(String path, Handler handler, String... parameters) {
        return new Route("POST", path, Set.of(parameters), handler);
    }

    static Route delete(String path, Handler handler) {
        return new Route("DELETE", path, Set.of(), handler);
    }

    private List<String> template() {
        return Arrays.asList(path.substring(1).split("/", -1));
    }

    /** Whether these raw segments are a path of it. */
    boolean matches(List<String> segments) {
        List<String> template = template();
        if (template.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < template.size(); i++) {
            if (!isVariable(template.get(i)) && !template.get(i).equals(segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The raw segment that stands where this name does. */
    String variable(String name, List<String> segments) {
        return segments.get(template().indexOf("{" + name + "}"));
    }

    private static boolean isVariable(String segment) {
        return segment.startsWith("{");
    }
}
