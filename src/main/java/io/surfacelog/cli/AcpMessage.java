package io.surfacelog.cli;

import io.surfacelog.cli.AcpException.Code;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a client says in one line: a request, which has an id and gets one response, or a notification, which has none and
 * gets none.
 *
 * @param id what the response has to repeat, null in a notification
 * @param method what is asked for
 * @param params with what; empty where the line has none
 */
record AcpMessage(@Nullable Json id, String method, JsonObject params) {

    static final String VERSION = "2.0";

    /** A line that is no such message, and the id a response to it has: null, or that of the line if it can be told. */
    static final class UnreadableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Json id;
        private final AcpException error;

        private UnreadableException(Json id, AcpException error) {
            super(error);
            this.id = id;
            this.error = error;
        }

        Json id() {
            return id;
        }

        AcpException error() {
            return error;
        }
    }

    /**
     * The message of a line; empty for a response, which answers nothing that was asked here.
     *
     * @throws UnreadableException if it is neither
     */
    static Optional<AcpMessage> of(byte[] line) {
        Json json = parse(line);
        if (!(json instanceof JsonObject object)) {
            throw invalid(
                    JsonNull.NULL, "one JSON object a line", json instanceof JsonArray ? "an array" : json.toText());
        }
        Json id = object.get("id");
        boolean named = id instanceof JsonString || id instanceof JsonNumber || id == JsonNull.NULL;
        Json answerTo = id != null && named ? id : JsonNull.NULL;
        if (!object.string("jsonrpc").filter(VERSION::equals).isPresent()) {
            throw invalid(answerTo, "a member jsonrpc that is \"" + VERSION + "\"", found(object.get("jsonrpc")));
        }
        if (id != null && !named) {
            throw invalid(answerTo, "an id that is a string or a number", found(id));
        }
        Optional<String> method = object.string("method");
        if (method.isEmpty()) {
            if (!object.has("method") && (object.has("result") || object.has("error"))) {
                return Optional.empty();
            }
            throw invalid(answerTo, "a string method", found(object.get("method")));
        }
        Json params = object.get("params");
        if (params != null && params != JsonNull.NULL && !(params instanceof JsonObject)) {
            throw new UnreadableException(
                    answerTo, AcpException.invalidParams("expected params to be an object, found " + found(params)));
        }
        return Optional.of(
                new AcpMessage(id, method.get(), params instanceof JsonObject given ? given : JsonObject.EMPTY));
    }

    private static Json parse(byte[] line) {
        try {
            return AcpJson.parse(line);
        } catch (AcpException e) {
            throw new UnreadableException(JsonNull.NULL, e);
        }
    }

    private static UnreadableException invalid(Json id, String expected, String found) {
        return new UnreadableException(
                id, new AcpException(Code.INVALID_REQUEST, "expected " + expected + ", found " + found));
    }

    boolean isRequest() {
        return id != null;
    }

    /**
     * A parameter that has to be there.
     *
     * @throws AcpException if it is not, or no string
     */
    String text(String name) {
        return params.string(name)
                .orElseThrow(() -> AcpException.invalidParams(
                        method + ": expected a string " + name + ", found " + found(params.get(name))));
    }

    /** What stands there, in few words. */
    static String found(@Nullable Json json) {
        if (json == null) {
            return "none";
        }
        String text = json.toText();
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
