package io.surfacelog.web;

import java.util.Locale;

/** The kinds of problem that this API answers with (RFC 9457), each with its status and a stable type. */
enum ProblemType {
    BAD_REQUEST(400, "The request cannot be read"),
    UNAUTHORIZED(401, "A token is needed"),
    FOREIGN_ORIGIN(403, "Another site may not write"),
    UNPROTECTED(403, "The API is not protected"),
    UNKNOWN_PATH(404, "There is no such resource"),
    UNKNOWN_SESSION(404, "There is no such session"),
    UNKNOWN_EVENT(404, "There is no such event"),
    WRONG_METHOD(405, "The resource does not take this method"),
    SESSION_EXISTS(409, "The session exists already"),
    APPEND_CONFLICT(409, "Another writer was faster"),
    IDEMPOTENCY_CONFLICT(409, "The idempotency key belongs to another append"),
    LEASE_HELD(409, "Somebody drives the session"),
    OPEN_TURN(409, "A turn is open"),
    OPEN_COMPACTION(409, "A compaction is open"),
    SESSION_NEEDED(409, "Other sessions need the session"),
    STALE_SEQ(412, "The log does not end where expected"),
    TOO_LARGE(413, "More than is taken"),
    MEDIA_TYPE(415, "Another media type is expected"),
    MISDIRECTED(421, "The request is for another host"),
    REFUSED(422, "The content is refused"),
    DAMAGED(500, "The store is damaged"),
    INTERNAL(500, "The request failed"),
    STORE_UNAVAILABLE(503, "The store cannot be used now"),
    QUEUE_FULL(503, "Too much waits to be committed"),
    OUTCOME_UNKNOWN(503, "Whether it is stored is not known"),
    TOO_MANY_CLIENTS(503, "Too many clients follow the feed");

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    int status() {
        return status;
    }

    String title() {
        return title;
    }

    /** The URI of the type, which names and leads nowhere. */
    String uri() {
        return "urn:surfacelog:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
