package io.surfacelog.event;

import org.jspecify.annotations.Nullable;

/**
 * How large an event may be when it is appended, created or imported; what is stored is read whatever its size.
 *
 * @param maxEventBytes UTF-8 bytes of the event as compact JSON, from 1,024
 */
public record EventLimits(long maxEventBytes) {

    /** 16 MiB. */
    public static final long DEFAULT_MAX_EVENT_BYTES = 16L << 20;

    public EventLimits {
        if (maxEventBytes < 1_024) {
            throw new IllegalArgumentException("expected max-event-bytes from 1024, found " + maxEventBytes);
        }
    }

    public static EventLimits defaults() {
        return new EventLimits(DEFAULT_MAX_EVENT_BYTES);
    }

    /**
     * Refuses a candidate that is too deep or too large. Cost: O(size), O(1) for one that was read with the same limits.
     *
     * @throws AdmissionException {@code limit.depth} or {@code limit.event-bytes}
     */
    public void check(EventCandidate candidate) {
        if (!candidate.keepsTo(this)) {
            checkAll(candidate);
        }
    }

    void checkAll(EventCandidate candidate) {
        checkDepth(candidate.data().value());
        checkDepth(candidate.surfaceOp());
        checkDepth(candidate.sourceEventSeqs());
        checkSize(candidate);
    }

    private static void checkDepth(@Nullable Json member) {
        if (member != null && !fits(member, Json.MAX_DEPTH - 1)) {
            throw JsonReader.tooDeep();
        }
    }

    /** For what was read from text, whose depth has been counted while it was read. */
    void checkSize(EventCandidate candidate) {
        // a unit of a text takes at most 3 bytes, an escaped one 6, so most events need no counting
        boolean marked = candidate.surfaceOp() != null
                || candidate.sourceEventSeqs() != null
                || candidate.event().flatMap(SessionEvent::intent).isPresent();
        long atMost = 100
                + 6L * candidate.type().length()
                + 3L * candidate.data().text().length();
        if (!marked && atMost <= maxEventBytes) {
            return;
        }
        long bytes = candidate.utf8Bytes();
        if (bytes > maxEventBytes) {
            throw new AdmissionException(
                    AdmissionRule.LIMIT_EVENT_BYTES,
                    "expected at most " + maxEventBytes
                            + " bytes (surfacelog.limits.max-event-bytes), found an event of " + bytes + " bytes");
        }
    }

    private static boolean fits(Json json, int levels) {
        if (json instanceof JsonObject object) {
            for (int i = 0; levels > 0 && i < object.size(); i++) {
                if (!fits(object.valueAt(i), levels - 1)) {
                    return false;
                }
            }
            return levels > 0;
        }
        if (json instanceof JsonArray array) {
            for (int i = 0; levels > 0 && i < array.size(); i++) {
                if (!fits(array.get(i), levels - 1)) {
                    return false;
                }
            }
            return levels > 0;
        }
        return true;
    }
}
