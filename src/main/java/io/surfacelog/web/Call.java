package io.surfacelog.web;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonBoolean;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One request that has found its operation, and the answer to it. Used by one thread. */
final class Call {

    private static final int LONGEST_LOCATION = 4_096;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Route route;
    private final List<String> segments;
    private final Map<String, String> query;
    private final String base;
    private final long maxBody;

    Call(
            HttpServletRequest request,
            HttpServletResponse response,
            Route route,
            List<String> segments,
            String base,
            long maxBody) {
        this.request = request;
        this.response = response;
        this.route = route;
        this.segments = segments;
        this.query = QueryText.parse(request.getQueryString(), route.parameters());
        this.base = base;
        this.maxBody = maxBody;
        requireNoCondition("If-Match");
        requireNoCondition("Idempotency-Key");
    }

    HttpServletRequest request() {
        return request;
    }

    HttpServletResponse response() {
        return response;
    }

    /** Where the API begins, as a client sees it: context path and base path. */
    String base() {
        return base;
    }

    /** The session in the path. */
    SessionId session() {
        return UrlText.session(route.variable("session", segments));
    }

    /** A number in the path. */
    long pathNumber(String name) {
        return QueryText.number(name, UrlText.decode(route.variable(name, segments)));
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name));
    }

    /** A parameter that is an integer from 0; empty if it is absent. */
    OptionalLong number(String name) {
        String text = query.get(name);
        return text == null ? OptionalLong.empty() : OptionalLong.of(QueryText.number(name, text));
    }

    /** A parameter that is an integer within these bounds. */
    int number(String name, int otherwise, int from, int to) {
        long value = number(name).orElse(otherwise);
        if (value < from || value > to) {
            throw ProblemException.badRequest(
                    "expected the parameter " + name + " from " + from + " to " + to + ", found " + value);
        }
        return (int) value;
    }

    boolean flag(String name) {
        String text = query.get(name);
        if (text == null || text.equals("false")) {
            return false;
        }
        if (text.equals("true") || text.isEmpty()) {
            return true;
        }
        throw ProblemException.badRequest("expected the parameter " + name + " to be true or false, found " + text);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeader(name));
    }

    /** A header that counts once; empty if it is absent. */
    private Optional<String> onlyHeader(String name) {
        List<String> values = Collections.list(request.getHeaders(name));
        if (values.size() > 1) {
            throw ProblemException.badRequest(
                    "expected the header " + name + " once, found it " + values.size() + " times");
        }
        return values.stream().findFirst();
    }

    /** Refuses a condition that this operation would not keep to. */
    private void requireNoCondition(String name) {
        if (!route.isConditional() && request.getHeader(name) != null) {
            throw ProblemException.badRequest(
                    "expected no header " + name + ", which only an append of events keeps to," + " found one");
        }
    }

    /** What makes an append that is repeated one append; empty where nothing does. */
    Optional<String> idempotencyKey() {
        Optional<String> key = onlyHeader("Idempotency-Key");
        if (key.filter(String::isEmpty).isPresent()) {
            throw ProblemException.badRequest("expected a key in Idempotency-Key, found an empty one");
        }
        return key;
    }

    /** The seq that If-Match asks for; empty where any will do. */
    OptionalLong expectedNextSeq() {
        String match = onlyHeader("If-Match").orElse(null);
        if (match == null || match.strip().equals("*")) {
            return OptionalLong.empty();
        }
        String tag = match.strip();
        boolean quoted = tag.length() > 2 && tag.startsWith("\"") && tag.endsWith("\"");
        return OptionalLong.of(QueryText.number("If-Match", quoted ? tag.substring(1, tag.length() - 1) : tag));
    }

    /** The body, which has to be JSON. */
    Json body() throws IOException {
        return RequestBody.json(request, maxBody);
    }

    /** Refuses a body with anything in it. */
    void requireNothing() throws IOException {
        JsonObject body = object();
        if (body.size() > 0) {
            throw ProblemException.badRequest("expected no body, or {}, found one with members");
        }
    }

    /** A member of a body that is true or false; false if it is absent. */
    static boolean flag(JsonObject body, String name) {
        Json value = body.get(name);
        if (value == null || value instanceof JsonBoolean) {
            return body.isTrue(name);
        }
        throw ProblemException.badRequest("expected " + name + " to be true or false, found another value");
    }

    /** The body as an object; no body at all is an empty one. */
    JsonObject object(String... members) throws IOException {
        if (!RequestBody.isAnnounced(request)) {
            return JsonObject.EMPTY;
        }
        if (!(body() instanceof JsonObject object)) {
            throw ProblemException.badRequest("expected a JSON object as the body, found another value");
        }
        for (String name : object.names()) {
            if (members.length > 0 && !List.of(members).contains(name)) {
                throw ProblemException.badRequest(
                        "expected only the members " + List.of(members) + " in the body, found " + Json.of(name));
            }
        }
        return object;
    }

    void entityTag(long nextSeq) {
        response.setHeader("ETag", "\"" + nextSeq + "\"");
    }

    void created(String location) {
        response.setStatus(HttpServletResponse.SC_CREATED);
        // a longer one fits in no header, and nobody can ask for it
        if (location.length() <= LONGEST_LOCATION) {
            response.setHeader("Location", location);
        }
    }

    /** Answers with one value. */
    void answer(Json json) throws IOException {
        answer("application/json", json);
    }

    void answer(String mediaType, Json json) throws IOException {
        write(response, mediaType, json);
    }

    static void write(HttpServletResponse response, String mediaType, Json json) throws IOException {
        byte[] bytes = json.toText().getBytes(StandardCharsets.UTF_8);
        response.setContentType(mediaType);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    /** Answers with an object that is written member by member, so that it need never be held as a whole. */
    JsonStream stream() throws IOException {
        response.setContentType("application/json");
        return new JsonStream(response.getOutputStream());
    }

    @Nullable
    String contentType() {
        return request.getContentType();
    }
}
