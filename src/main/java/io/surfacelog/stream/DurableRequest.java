package io.surfacelog.stream;

import io.surfacelog.store.StoredSubscription;
import java.time.Duration;

/**
 * What a durable subscription is to hear, and when its position is kept.
 *
 * <pre>{@code
 * DurableRequest.of("search-index", StreamRequest.all().fromBeginning());
 * }</pre>
 *
 * @param name by which it is found again, like {@value StoredSubscription#NAME}; it is kept in the store as it is and must not
 *     hold the id of a session that is to be erased
 * @param request what to hear; where it begins counts only for a name that is not there yet
 * @param keep whether the position is kept after the handler or before it
 * @param every after how many events the position is kept, from 1
 * @param within after how much time it is kept at the latest, from 1 ms
 */
public record DurableRequest(String name, StreamRequest request, Keep keep, int every, Duration within) {

    /** When a position is kept, which says what becomes of an event whose handler was cut short by a crash. */
    public enum Keep {
        /** After the handler has returned: each event is handled at least once, the last ones perhaps again. */
        AFTER_HANDLER,
        /** Before the handler is called: each event is handled at most once, the last ones perhaps never. */
        BEFORE_HANDLER
    }

    public DurableRequest {
        StoredSubscription.requireName(name);
        if (every < 1 || within.toMillis() < 1) {
            throw new IllegalArgumentException("expected to keep the position of \"" + name
                    + "\" after 1 event or more and 1 ms or more, found " + every + " and " + within);
        }
    }

    /** At least once, kept after each 256 events and within a second. */
    public static DurableRequest of(String name, StreamRequest request) {
        return new DurableRequest(name, request, Keep.AFTER_HANDLER, 256, Duration.ofSeconds(1));
    }

    /** The same, at most once: an event may be lost in a crash, but none is handled twice. */
    public DurableRequest beforeHandler() {
        return new DurableRequest(name, request, Keep.BEFORE_HANDLER, every, within);
    }

    /** The same, with its position kept after so many events; each time costs a commit. */
    public DurableRequest every(int events) {
        return new DurableRequest(name, request, keep, events, within);
    }

    /** The same, with its position kept within this time where events are few. */
    public DurableRequest within(Duration time) {
        return new DurableRequest(name, request, keep, every, time);
    }
}
