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
     * Refuses a candidate that is too large.
     *
     * @throws AdmissionException {@code limit.event-bytes}
     */
    public void check(EventCandidate candidate) {
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
}
