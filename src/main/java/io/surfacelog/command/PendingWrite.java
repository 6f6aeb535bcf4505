package io.surfacelog.command;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One write on its way from plan to commit. Its plan is guarded by the monitor of its lane. Its future is completed on
 * the thread that leads the commit, so nothing that may take its time hangs on it.
 */
final class PendingWrite {

    private final SessionLane lane;
    private final @Nullable SessionHeader create;
    private final @Nullable AppendEvents append;
    private final Function<Surface, SurfaceChange> planning;
    private final CompletableFuture<Appended> future = new CompletableFuture<>();
    private SurfaceChange change;
    private int conflicts;

    private PendingWrite(
            SessionLane lane,
            @Nullable SessionHeader create,
            @Nullable AppendEvents append,
            Function<Surface, SurfaceChange> planning,
            SurfaceChange change) {
        this.lane = lane;
        this.create = create;
        this.append = append;
        this.planning = planning;
        this.change = change;
    }

    static PendingWrite create(SessionLane lane, SessionHeader header, SurfaceChange change) {
        return new PendingWrite(
                lane,
                header,
                null,
                base -> {
                    throw new SessionExistsException(lane.id);
                },
                change);
    }

    static PendingWrite append(
            SessionLane lane, AppendEvents append, Function<Surface, SurfaceChange> planning, SurfaceChange change) {
        return new PendingWrite(lane, null, append, planning, change);
    }

    /** Events that are right only where they were planned. */
    static PendingWrite here(SessionLane lane, SurfaceChange change) {
        long expected = change.before().nextSeq();
        return new PendingWrite(
                lane,
                null,
                null,
                base -> {
                    throw new StaleSeqException(lane.id, expected, base.nextSeq());
                },
                change);
    }

    SessionLane lane() {
        return lane;
    }

    SurfaceChange change() {
        return change;
    }

    @Nullable
    SessionHeader create() {
        return create;
    }

    @Nullable
    AppendEvents append() {
        return append;
    }

    CompletableFuture<Appended> future() {
        return future;
    }

    Optional<String> key() {
        return append == null ? Optional.empty() : append.idempotencyKey();
    }

    /** Counts one more commit in which another writer was faster; returns how many there were. */
    int conflict() {
        return ++conflicts;
    }

    /** Plans the write again, on another surface. */
    void planAgain(Surface base) {
        change = planning.apply(base);
    }

    Appended result() {
        return new Appended(lane.id, change.events(), change.after().nextSeq(), false);
    }
}
