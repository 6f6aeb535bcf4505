package io.surfacelog.web;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The timelines of the sessions that were asked for last, each as far as it was read. Cost: O(events since, without chunks).
 * May be called by any thread; those that ask for one session wait for each other.
 */
final class Timelines {

    private static final int HELD = 32;

    private final EventStore store;

    /** By the number of a session, which is never given twice: an id may come back with another log. */
    private final Map<Long, Timeline> held = new LinkedHashMap<>(HELD, 0.75f, true);

    Timelines(EventStore store) {
        this.store = store;
    }

    /** What the function makes of the timeline up to this seq at least. */
    <T> T read(SessionId id, long nextSeq, Function<Timeline, T> function) {
        StoredSession session = store.find(id).orElseThrow(() -> new UnknownSessionException(id));
        Timeline timeline = held(session.ordinal());
        synchronized (timeline) {
            long from = timeline.nextSeq();
            if (from < nextSeq) {
                store.forEach(id, EventRange.of(from, nextSeq).kind(EventRange.Kind.NOT_CHUNK), timeline::add);
                timeline.passTo(nextSeq);
            }
            return function.apply(timeline);
        }
    }

    private synchronized Timeline held(long session) {
        Timeline timeline = held.computeIfAbsent(session, number -> new Timeline());
        if (held.size() > HELD) {
            Long eldest = held.keySet().iterator().next();
            held.remove(eldest);
        }
        return timeline;
    }
}
