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

    /** What is quoted may be as long as a body; a sentence is not. */
    private static final int LONGEST = 1_000;

    static Problem of(ProblemType type, String detail) {
        return new Problem(type, abridged(detail), JsonObject.EMPTY);
    }

    private static String abridged(String detail) {
        if (detail.length() <= LONGEST) {
            return detail;
        }
        // its end says what to do
        int head = LONGEST * 3 / 4;
        int tail = detail.length() - LONGEST / 4;
        head -= Character.isHighSurrogate(detail.charAt(head - 1)) ? 1 : 0;
        tail += Character.isLowSurrogate(detail.charAt(tail)) ? 1 : 0;
        return detail.substring(0, head) + " … " + detail.substring(tail);
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
