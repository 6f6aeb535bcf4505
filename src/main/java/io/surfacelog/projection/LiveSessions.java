package io.surfacelog.projection;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Surface;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The sessions held in memory: so many, in so many bytes. Those not used for longest leave first, the one just used never.
 * Safe for use by several threads.
 */
final class LiveSessions {

    private final ProjectionSettings settings;
    private final CheckpointWriter checkpoints;
    private final ConcurrentMap<SessionId, LiveSession> sessions = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong evicted = new AtomicLong();

    LiveSessions(ProjectionSettings settings, CheckpointWriter checkpoints) {
        this.settings = settings;
        this.checkpoints = checkpoints;
    }

    @Nullable
    LiveSession get(SessionId id) {
        return sessions.get(id);
    }

    /** The session, one to be opened if it is not there. */
    LiveSession entry(SessionId id) {
        return sessions.computeIfAbsent(id, key -> new LiveSession(now(), bytes));
    }

    void remove(SessionId id) {
        LiveSession session = sessions.remove(id);
        if (session != null) {
            session.leave();
        }
    }

    boolean remove(SessionId id, LiveSession session) {
        boolean removed = sessions.remove(id, session);
        if (removed) {
            session.leave();
        }
        return removed;
    }

    /** The session has been opened or has grown: others may have to make room, and a checkpoint may be due. */
    void changed(SessionId id, LiveSession session) {
        Surface due = session.due(settings.checkpointsEvery());
        if (due != null) {
            checkpoints.write(id, due);
        }
        if (isFull()) {
            makeRoomFor(session);
        }
    }

    private boolean isFull() {
        return sessions.size() > settings.maxLiveSessions() || bytes.get() > settings.maxLiveBytes();
    }

    private synchronized void makeRoomFor(LiveSession newest) {
        if (!isFull()) {
            return; // another thread has made room
        }
        // a batch at a time, so that a full cache does not sort itself for every session it takes in
        int over = sessions.size() - settings.maxLiveSessions();
        int leave = over > 0 ? over + settings.maxLiveSessions() / 8 : 0;
        long fits = bytes.get() > settings.maxLiveBytes()
                ? settings.maxLiveBytes() - settings.maxLiveBytes() / 8
                : settings.maxLiveBytes();
        // ages are read once: a sort of ages that change meanwhile may fail
        List<Age> oldestFirst = sessions.entrySet().stream()
                .map(entry -> new Age(
                        entry.getKey(), entry.getValue(), entry.getValue().lastUsed()))
                .sorted(Comparator.comparingLong(Age::lastUsed))
                .toList();
        for (Age age : oldestFirst) {
            if (leave <= 0 && bytes.get() <= fits) {
                return;
            }
            // one that is being opened takes nothing yet, and is about to be used
            if (age.session() != newest && age.session().surface() != null && evict(age)) {
                leave--;
            }
        }
    }

    private boolean evict(Age age) {
        if (!remove(age.id(), age.session())) {
            return false;
        }
        evicted.incrementAndGet();
        writeAtLast(age.id(), age.session());
        return true;
    }

    private void writeAtLast(SessionId id, LiveSession session) {
        Surface due = session.dueAtLast(settings.checkpointsEvery());
        if (due != null) {
            checkpoints.write(id, due);
        }
    }

    /** Puts down where the folds of the sessions stand that have grown enough. */
    void writeAllAtLast() {
        sessions.forEach(this::writeAtLast);
    }

    /** The largest distance of any of them from its newest checkpoint. */
    long checkpointLag() {
        return sessions.values().stream().mapToLong(LiveSession::behind).max().orElse(0);
    }

    int size() {
        return sessions.size();
    }

    /** What the sessions take, by estimate. */
    long bytes() {
        return bytes.get();
    }

    /** How many have left to make room. */
    long evicted() {
        return evicted.get();
    }

    static long now() {
        return System.nanoTime() >> 20;
    }

    private record Age(SessionId id, LiveSession session, long lastUsed) {}
}
