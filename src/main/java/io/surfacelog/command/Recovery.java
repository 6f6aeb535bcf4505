package io.surfacelog.command;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
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
import java.util.Optional;
import java.util.function.Consumer;

/** Plans the closers of a log as it is stored. */
final class Recovery {

    private final EventStore store;
    private final CommandSettings settings;

    Recovery(EventStore store, CommandSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    /** The closers of the log that this is the surface of, which must be the stored one; empty if it is balanced. */
    Optional<SurfaceChange> plan(SessionId id, Surface surface) {
        List<SessionEvent> closers = closers(id, surface);
        if (closers.isEmpty()) {
            return Optional.empty();
        }
        // what must be closed is neither too large nor out of order: a session that nobody can close is worse
        SurfacePlanner planner = surface.planner(new SurfaceRules(settings.types(), StructureMode.REPORT));
        closers.forEach(closer -> planner.add(EventCandidate.of(closer)));
        return Optional.of(planner.change());
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
