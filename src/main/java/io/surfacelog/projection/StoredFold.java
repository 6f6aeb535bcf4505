package io.surfacelog.projection;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.Folded.Origin;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.store.StoredSession;
import io.surfacelog.surface.SparseFold;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceCheckpoint;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import io.surfacelog.surface.UnreadableCheckpointException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds what is stored, by the same admission that let it in. Begins with the checkpoint where there is a good one, and
 * then reads stream chunks only where they matter; without one it folds every event.
 */
final class StoredFold {

    private static final Logger LOG = LoggerFactory.getLogger(StoredFold.class);

    /** For a look back, nodes read by their seqs are dear: a checkpoint has to spare so many events for each. */
    private static final long EVENTS_SPARED_PER_NODE = 4;

    private final EventStore store;
    private volatile EventTypes types;

    StoredFold(EventStore store) {
        this.store = store;
        this.types = EventTypes.standard().with(store.declaredTypes());
    }

    EventTypes types() {
        return types;
    }

    void refreshTypes() {
        types = EventTypes.standard().with(store.declaredTypes());
    }

    /**
     * The surface of a session that is not live.
     *
     * @param stored the session, looked up before: a chunk that strays is committed together with a checkpoint, so the
     *     checkpoint read now knows of all those below the tail
     */
    Folded open(StoredSession stored) {
        SessionId id = stored.id();
        Origin origin = Origin.LOG;
        try {
            Optional<Surface> checkpoint = store.checkpoint(id).map(found -> surface(id, found, stored.nextSeq()));
            if (checkpoint.isPresent()) {
                return onFrom(checkpoint.get(), id, stored.nextSeq());
            }
        } catch (UnreadableCheckpointException | DamagedStoreException e) {
            LOG.warn(
                    "the checkpoint of session {} cannot be used, its log is read from the beginning: {}",
                    id,
                    e instanceof DamagedStoreException damaged ? damaged.fault() : e.getMessage());
            origin = Origin.LOG_FOR_WANT_OF_A_GOOD_CHECKPOINT;
        }
        Folded whole = onward(Surface.empty(), id, stored.nextSeq());
        return new Folded(whole.surface(), whole.behind(), origin);
    }

    private Surface surface(SessionId id, StoredCheckpoint found, long tail) {
        SurfaceCheckpoint checkpoint = SurfaceCheckpoint.parse(found.state());
        boolean ahead = checkpoint.nextSeq() > tail
                && checkpoint.nextSeq()
                        > store.find(id).map(StoredSession::nextSeq).orElse(0L);
        if (ahead || checkpoint.nextSeq() != found.nextSeq()) {
            throw new DamagedStoreException(
                    SessionVerifier.checkpointFault(id, "a checkpoint within the log of " + tail + " events", found));
        }
        return checkpoint.surface(seqs -> store.events(id, seqs));
    }

    private Folded onFrom(Surface checkpoint, SessionId id, long tail) {
        if (checkpoint.nextSeq() >= tail) {
            return new Folded(checkpoint, 0, Origin.CHECKPOINT);
        }
        if (checkpoint.hasStrayChunks()) {
            return new Folded(checkpoint, 0, Origin.CHECKPOINT).then(onward(checkpoint, id, tail));
        }
        return admitted(id, declared -> {
            StoredLog log = new StoredLog(store, id);
            Surface surface = SparseFold.of(checkpoint, log, tail, new SurfaceRules(declared, StructureMode.REPORT));
            return new Folded(surface, log.notChunks(), Origin.CHECKPOINT);
        });
    }

    /** Folds every event from a surface to a seq, excluded. */
    Folded onward(Surface from, SessionId id, long to) {
        return admitted(id, declared -> {
            SurfacePlanner planner = from.planner(new SurfaceRules(declared, StructureMode.REPORT));
            long[] notChunks = {0};
            store.forEach(id, EventRange.of(from.nextSeq(), to), event -> {
                planner.fold(EventCandidate.of(event));
                notChunks[0] += isChunk(event) ? 0 : 1;
            });
            Surface surface = planner.surface();
            return new Folded(
                    surface, surface.hasStrayChunks() ? surface.nextSeq() - from.nextSeq() : notChunks[0], Origin.LOG);
        });
    }

    static boolean isChunk(SessionEvent event) {
        return event.type().equals(EventType.ASSISTANT_CHUNK);
    }

    /** The surface after an event of a log whose current surface is further. */
    Surface asOf(SessionId id, long seq, Surface current) {
        Surface earlier = earlier(id, seq + 1);
        Surface from = earlier == null ? Surface.empty() : earlier;
        return admitted(
                id,
                declared -> SparseFold.of(
                        from,
                        new StoredLog(store, id),
                        seq + 1,
                        new SurfaceRules(declared, StructureMode.REPORT),
                        current));
    }

    /** The surface of a checkpoint that lies there or before and spares enough; null for none. */
    private @Nullable Surface earlier(SessionId id, long to) {
        try {
            StoredCheckpoint found = store.checkpoint(id).orElse(null);
            if (found == null || found.nextSeq() > to) {
                return null;
            }
            SurfaceCheckpoint checkpoint = SurfaceCheckpoint.parse(found.state());
            return checkpoint.nodes() * EVENTS_SPARED_PER_NODE > checkpoint.nextSeq() ? null : surface(id, found, to);
        } catch (UnreadableCheckpointException | DamagedStoreException e) {
            LOG.debug("the checkpoint of session {} cannot be used to look back", id, e);
            return null;
        }
    }

    /** Folds with the types declared since if need be. What was stored was admitted, so what is refused is damage. */
    private <T> T admitted(SessionId id, Function<EventTypes, T> fold) {
        try {
            return fold.apply(types);
        } catch (AdmissionException e) {
            if (e.rule() != AdmissionRule.TYPE_UNDECLARED) {
                throw refused(id, e);
            }
        }
        refreshTypes();
        try {
            return fold.apply(types);
        } catch (AdmissionException e) {
            throw refused(id, e);
        }
    }

    static DamagedStoreException refused(SessionId id, AdmissionException e) {
        return new DamagedStoreException(new StoreFault(id, e.at(), "event", "not admissible: " + e.detail()));
    }
}
