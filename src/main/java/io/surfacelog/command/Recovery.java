package io.surfacelog.command;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.surface.Closers;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans the closers of a log as it is stored. Works in the lane of the session, so that no writer of this process comes
 * between; where writes are staged already, it has to wait for them, and where another process was faster, to look again.
 */
final class Recovery {

    private final EventStore store;
    private final SurfaceProjection projection;
    private final CommandSettings settings;

    Recovery(EventStore store, SurfaceProjection projection, CommandSettings settings) {
        this.store = store;
        this.projection = projection;
        this.settings = settings;
    }

    /** Stages the closers; the future gives null where it has to be tried again. The caller has the lane's monitor. */
    CompletableFuture<@Nullable Appended> attempt(
            SessionLane lane, Function<PendingWrite, CompletableFuture<Appended>> staging) {
        PendingWrite last = lane.last();
        if (last != null) {
            return last.future().handle((result, failure) -> null);
        }
        Surface surface = projection.refresh(lane.id);
        List<SessionEvent> closers = closers(lane.id, surface);
        if (closers.isEmpty()) {
            return CompletableFuture.completedFuture(new Appended(lane.id, List.of(), surface.nextSeq(), false));
        }
        PendingWrite write = PendingWrite.here(lane, plan(surface, closers));
        return staging.apply(write).exceptionally(failure -> {
            if (failure instanceof StaleSeqException) {
                return null;
            }
            throw failure instanceof RuntimeException cause ? cause : new CompletionException(failure);
        });
    }

    /** What must be closed is neither too large nor out of order: a session that nobody can close is worse. */
    private SurfaceChange plan(Surface surface, List<SessionEvent> closers) {
        SurfacePlanner planner = surface.planner(new SurfaceRules(settings.types(), StructureMode.REPORT));
        closers.forEach(closer -> planner.add(EventCandidate.of(closer)));
        return planner.change();
    }

    private List<SessionEvent> closers(SessionId id, Surface surface) {
        RecoverySettings recovery = settings.recovery();
        List<SessionEvent> closers = Closers.of(surface, log(id), recovery);
        boolean tooLarge = closers.stream()
                .anyMatch(closer -> closer.type().equals(EventType.ASSISTANT_MESSAGE) && isTooLarge(closer));
        // streamed text that no one event may hold stays where it is, in its chunks
        return tooLarge
                ? Closers.of(surface, log(id), new RecoverySettings(false, recovery.answerOrphanedCalls()))
                : closers;
    }

    private boolean isTooLarge(SessionEvent closer) {
        try {
            settings.limits().check(EventCandidate.of(closer));
            return false;
        } catch (AdmissionException e) {
            return true;
        }
    }

    private LogReader log(SessionId session) {
        return new LogReader() {

            @Override
            public void forEach(long from, long to, Consumer<SessionEvent> action) {
                store.forEach(session, EventRange.of(from, to), action);
            }

            @Override
            public void forEachButChunks(long from, long to, Consumer<SessionEvent> action) {
                store.forEach(session, EventRange.of(from, to).kind(EventRange.Kind.NOT_CHUNK), action);
            }
        };
    }
}
