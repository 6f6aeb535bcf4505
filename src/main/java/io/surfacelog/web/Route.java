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
 * @param isConditional whether it keeps to If-Match and Idempotency-Key; the others refuse both
 * @param isStreamed whether its answer has no end or takes its time: only a GET is worth that, and no HEAD
 * @param handler what answers it
 */
record Route(
        String method,
        String path,
        Set<String> parameters,
        boolean isConditional,
        boolean isStreamed,
        Handler handler) {

    /** Answers a request. */
    interface Handler {
        void handle(Call call) throws IOException;
    }

    static Route get(String path, Handler handler, String... parameters) {
        return new Route("GET", path, Set.of(parameters), false, false, handler);
    }

    static Route post(String path, Handler handler, String... parameters) {
        return new Route("POST", path, Set.of(parameters), false, false, handler);
    }

    static Route delete(String path, Handler handler) {
        return new Route("DELETE", path, Set.of(), false, false, handler);
    }

    /** The same, which keeps to conditions. */
    Route conditional() {
        return new Route(method, path, parameters, true, isStreamed, handler);
    }

    /** The same, whose answer is streamed. */
    Route streamed() {
        return new Route(method, path, parameters, isConditional, true, handler);
    }

    /** The methods it answers; what a GET would say without saying it, HEAD asks. */
    List<String> methods() {
        return method.equals("GET") && !isStreamed ? List.of("GET", "HEAD") : List.of(method);
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
