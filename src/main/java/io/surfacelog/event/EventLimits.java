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
     * Refuses a candidate that is nested too deep or too large. Cost: O(size).
     *
     * @throws AdmissionException {@code limit.depth} or {@code limit.event-bytes}
     */
    public void check(EventCandidate candidate) {
        checkDepth(candidate.data().value());
        checkDepth(candidate.surfaceOp());
        checkDepth(candidate.sourceEventSeqs());
        // most events are far from the limit, which is told without counting: no unit of a text takes more than 3
        // bytes,
        // of an escaped one 6
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

    /** The reader has seen to what was parsed; what a caller built has not been looked at before. */
    private static void checkDepth(@Nullable Json member) {
        if (member != null && isDeeper(member, Json.MAX_DEPTH - 1)) {
            throw JsonReader.tooDeep();
        }
    }

    private static boolean isDeeper(Json value, int levels) {
        if (value instanceof JsonObject object) {
            if (levels == 0) {
                return true;
            }
            for (int i = 0; i < object.size(); i++) {
                if (isDeeper(object.valueAt(i), levels - 1)) {
                    return true;
                }
            }
        } else if (value instanceof JsonArray array) {
            if (levels == 0) {
                return true;
            }
            for (int i = 0; i < array.size(); i++) {
                if (isDeeper(array.get(i), levels - 1)) {
                    return true;
                }
            }
        }
        return false;
    }
}
