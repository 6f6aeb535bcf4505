package io.surfacelog.web;

import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;

/**
 * What went wrong, as RFC 9457 has it.
 *
 * @param type its kind
 * @param detail what was expected, what was found and what to do
 * @param members what else a client can act on: rule, at, line, nextSeq
 */
record Problem(ProblemType type, String detail, JsonObject members) {

    static final String MEDIA_TYPE = "application/problem+json";

    static Problem of(ProblemType type, String detail) {
        return new Problem(type, detail, JsonObject.EMPTY);
    }

    Problem with(String name, String value) {
        return new Problem(type, detail, members.with(name, JsonString.of(value)));
    }

    Problem with(String name, long value) {
        return new Problem(type, detail, members.with(name, JsonNumber.of(value)));
    }

    int status() {
        return type.status();
    }

    JsonObject json() {
        JsonObject.Builder json = JsonObject.builder()
                .put("type", type.uri())
                .put("title", type.title())
                .put("status", type.status())
                .put("detail", detail);
        members.forEach(json::put);
        return json.build();
    }

    /** To be answered instead of what was asked for. */
    ProblemException exception() {
        return new ProblemException(this);
    }
}
