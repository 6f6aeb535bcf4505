package io.surfacelog.event;

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
     * Refuses a candidate that is too deep or too large. Cost: O(size).
     *
     * @throws AdmissionException {@code limit.depth} or {@code limit.event-bytes}
     */
    public void check(EventCandidate candidate) {
        // what was read from text has been counted while it was read
        if (candidate.event().isPresent() && !fits(candidate.data().value(), Json.MAX_DEPTH - 1)) {
            throw JsonReader.tooDeep();
        }
        // a text of n units has at most 3n bytes, so most events need no counting
        if (candidate.data().text().length() < maxEventBytes / 8) {
            boolean small = candidate.type().length() < 128
                    && candidate.surfaceOp() == null
                    && candidate.sourceEventSeqs() == null
                    && candidate.event().flatMap(SessionEvent::intent).isEmpty();
            if (small) {
                return;
            }
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
