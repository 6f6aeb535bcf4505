package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Surface;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one session between planning and commit. What is planned but not committed forms the staged surface,
 * which nobody but the next plan sees. All members are guarded by the lane's monitor.
 */
final class SessionLane {

    final SessionId id;

    /** The surface after all staged writes, null while there are none. */
    @Nullable
    Surface staged;

    /** How many events are durable, while anything is staged. */
    long committed;

    /** Staged writes that carry an idempotency key. */
    final Map<String, PendingWrite> keys = new HashMap<>();

    /** The staged writes in order; those that are settled leave, nearly always the first. */
    private final ArrayDeque<PendingWrite> writes = new ArrayDeque<>();

    SessionLane(SessionId id) {
        this.id = id;
    }

    void stage(PendingWrite write) {
        if (writes.isEmpty()) {
            committed = write.create() == null ? write.change().before().nextSeq() : 0;
        }
        staged = write.change().after();
        writes.add(write);
        write.key().ifPresent(key -> keys.put(key, write));
    }

    /**
     * The write is settled, one way or the other.
     *
     * @return false if it had been settled before
     */
    boolean unstage(PendingWrite write) {
        if (!writes.remove(write)) {
            return false;
        }
        if (writes.isEmpty()) {
            staged = null;
        }
        write.key().ifPresent(key -> keys.remove(key, write));
        return true;
    }

    /** The write staged last, null while there is none. */
    @Nullable
    PendingWrite last() {
        return writes.peekLast();
    }

    /** Done when each write staged now is settled, one way or the other; never fails. */
    CompletableFuture<Void> settled() {
        return CompletableFuture.allOf(writes.stream().map(PendingWrite::future).toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> null);
    }

    boolean holds(PendingWrite write) {
        return writes.contains(write);
    }

    boolean isIdle() {
        return writes.isEmpty();
    }
}
