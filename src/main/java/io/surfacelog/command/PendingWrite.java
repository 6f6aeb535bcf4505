package io.surfacelog.command;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One write on its way from plan to commit. Its plan is guarded by the monitor of its lane. */
final class PendingWrite {

    private final SessionLane lane;
    private final @Nullable SessionHeader create;
    private final @Nullable AppendEvents append;
    private final Function<Surface, SurfaceChange> planning;
    private final CompletableFuture<Appended> future = new CompletableFuture<>();
    private SurfaceChange change;
    private int plans = 1;

    PendingWrite(
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

    int plans() {
        return plans;
    }

    /** Plans the write again, on another surface. */
    void planAgain(Surface base) {
        plans++;
        change = planning.apply(base);
    }

    SessionWrite toStore() {
        return new SessionWrite(lane.id, create, change.before().nextSeq(), change.events(), key().orElse(null));
    }

    Appended result() {
        return new Appended(lane.id, change.events(), change.after().nextSeq(), false);
    }

    /** Whether these stored events are what this write would store. */
    boolean hasContentOf(List<io.surfacelog.event.SessionEvent> stored) {
        if (append == null || stored.isEmpty()) {
            return false;
        }
        List<EventDraft> drafts = append.batch().apply(stored.get(0).seq());
        if (drafts.size() != stored.size()) {
            return false;
        }
        for (int i = 0; i < drafts.size(); i++) {
            if (!drafts.get(i).became(stored.get(i))) {
                return false;
            }
        }
        return true;
    }
}
