package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Surface;
import java.util.HashMap;
import java.util.Map;
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

    private int stagedWrites;

    SessionLane(SessionId id) {
        this.id = id;
    }

    void stage(PendingWrite write) {
        if (stagedWrites == 0) {
            committed = write.create() == null ? write.change().before().nextSeq() : 0;
        }
        staged = write.change().after();
        stagedWrites++;
        write.key().ifPresent(key -> keys.put(key, write));
    }

    /** The write is settled, one way or the other. */
    void unstage(PendingWrite write) {
        stagedWrites--;
        if (stagedWrites == 0) {
            staged = null;
        }
        write.key().ifPresent(key -> keys.remove(key, write));
    }

    boolean isIdle() {
        return stagedWrites == 0;
    }
}
