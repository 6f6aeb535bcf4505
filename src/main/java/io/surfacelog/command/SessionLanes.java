package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** The lanes of the sessions that are being written. An idle lane holds nothing and is let go. */
final class SessionLanes {

    private final ConcurrentMap<SessionId, SessionLane> lanes = new ConcurrentHashMap<>();
    private final Set<Thread> inside = ConcurrentHashMap.newKeySet();

    /**
     * Works in the lane of the session, under its monitor.
     *
     * @throws IllegalStateException if this thread works in a lane already: with two lanes it might wait for itself
     */
    <T> T in(SessionId id, Function<SessionLane, T> work) {
        if (!inside.add(Thread.currentThread())) {
            throw writeWithinPlan(id);
        }
        try {
            while (true) {
                SessionLane lane = lanes.computeIfAbsent(id, SessionLane::new);
                synchronized (lane) {
                    if (lanes.get(id) != lane) {
                        continue; // it was retired between look-up and lock
                    }
                    try {
                        return work.apply(lane);
                    } finally {
                        retireIfIdle(lane);
                    }
                }
            }
        } finally {
            inside.remove(Thread.currentThread());
        }
    }

    static IllegalStateException writeWithinPlan(SessionId id) {
        return new IllegalStateException("session \"" + id
                + "\" cannot be written from within the function that makes the events of an append; write before or"
                + " after it");
    }

    /** The caller has the lane's monitor. */
    void retireIfIdle(SessionLane lane) {
        if (lane.isIdle()) {
            lanes.remove(lane.id, lane);
        }
    }
}
