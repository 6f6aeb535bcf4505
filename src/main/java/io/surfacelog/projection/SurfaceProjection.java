package io.surfacelog.projection;

import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.Folded.Origin;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The query side's read model: the live surfaces. It alone applies committed events to them; commands plan on them and
 * queries read them. A session that is not live is opened from the store by the same admission that let its events in:
 * from its checkpoint and the events after it, stream chunks passed over, or without a checkpoint from its whole log.
 *
 * <p>Live sessions are a bounded cache; leaving it loses nothing. Checkpoints are written in the background, and are there
 * to be lost: without them every answer is the same, only later. Safe for use by several threads.
 */
public final class SurfaceProjection implements AutoCloseable {

    private final EventStore store;
    private final StoredFold folds;
    private final CheckpointWriter checkpoints;
    private final LiveSessions live;
    private final AtomicLong openedFromLog = new AtomicLong();
    private final AtomicLong openedFromCheckpoint = new AtomicLong();
    private final AtomicLong openingNanos = new AtomicLong();

    /** Counted by every look of every thread. */
    private final LongAdder hits = new LongAdder();

    /** A projection of this store with nothing live yet; reads the declared types. */
    public SurfaceProjection(EventStore store, ProjectionSettings settings) {
        this.store = store;
        this.folds = new StoredFold(store);
        this.checkpoints = new CheckpointWriter(store);
        this.live = new LiveSessions(settings, checkpoints);
    }

    /** A projection of this store that keeps at most so many sessions live, from 1; else as by default. */
    public SurfaceProjection(EventStore store, int maxLiveSessions) {
        this(store, ProjectionSettings.defaults().maxLiveSessions(maxLiveSessions));
    }

    /**
     * The surface of all events committed by this process, and of those of others it has seen. Cost: O(1) for a live
     * session; to open one, O(surface and what is no stream chunk since its checkpoint), without a checkpoint O(log). Many
     * threads that open one at once open it once.
     *
     * @throws UnknownSessionException if there is no such session
     * @throws DamagedStoreException if it cannot be read as it was written
     */
    public Surface surface(SessionId id) {
        LiveSession session = live.get(id);
        Surface surface = session == null ? null : session.surface();
        if (session == null || surface == null) {
            return open(id);
        }
        session.used(LiveSessions.now());
        hits.increment();
        return surface;
    }

    /** The header of the session; costs and errors as {@link #surface}. */
    public SessionHeader header(SessionId id) {
        LiveSession session = live.get(id);
        SessionHeader header = session == null ? null : session.header();
        return header != null
                ? header
                : store.find(id)
                        .orElseThrow(() -> new UnknownSessionException(id))
                        .header();
    }

    /** Takes in what other processes have committed. Cost: O(new events), at least one look at the store. */
    public Surface refresh(SessionId id) {
        Surface known = surface(id);
        StoredSession stored = store.find(id).orElse(null);
        if (stored == null) {
            live.remove(id);
            throw new UnknownSessionException(id);
        }
        LiveSession held = live.get(id);
        SessionHeader header = held == null ? null : held.header();
        if (header != null && !header.equals(stored.header())) {
            // it was removed, and another one has its id now
            removed(id);
            return open(id);
        }
        if (stored.nextSeq() == known.nextSeq()) {
            return known;
        }
        if (stored.nextSeq() < known.nextSeq()) {
            // the store has lost events, say to an older copy of it: what it holds is the truth
            live.remove(id);
            return open(id);
        }
        Folded folded = folds.onward(known, id, stored.nextSeq());
        LiveSession session = live.get(id);
        Surface newer = session == null ? null : session.advance(folded);
        if (session == null || newer == null) {
            return folded.surface();
        }
        live.changed(id, session);
        return newer;
    }

    /**
     * Applies a committed change. A live surface that has missed something before it is dropped, and opened from the
     * store when next asked for. Never reads the store. Cost: O(events of the change).
     */
    public void apply(SessionId id, SurfaceChange change) {
        LiveSession session = live.get(id);
        if (session == null) {
            return;
        }
        if (session.apply(change)) {
            live.changed(id, session);
        } else {
            live.remove(id, session);
        }
    }

    /** Makes a session live that was just committed as created. */
    public void created(SessionHeader header, SurfaceChange change) {
        LiveSession session = live.entry(header.id());
        session.create(header, change);
        session.used(LiveSessions.now());
        live.changed(header.id(), session);
    }

    /**
     * The checkpoint that a commit from one surface to another has to carry: there is one for the first stream chunk that
     * strays from its step, since a fold that begins before it has to read chunks from there on. Cost: O(1), once in the
     * life of a session O(surface).
     */
    public static Optional<StoredCheckpoint> checkpointWith(Surface before, Surface after) {
        return after.hasStrayChunks() && !before.hasStrayChunks()
                ? Optional.of(CheckpointWriter.checkpoint(after))
                : Optional.empty();
    }

    /** Drops the live surface, so that the next look opens the session from the store. */
    public void forget(SessionId id) {
        live.remove(id);
    }

    /** Drops all that is held of a session that the store may hold no more, also a checkpoint that waits to be written. */
    public void removed(SessionId id) {
        live.remove(id);
        checkpoints.forget(id);
    }

    /** How many sessions are live. */
    public int liveSessions() {
        return live.size();
    }

    /** What is held and what has been done. Cost: O(1). */
    public ProjectionStats stats() {
        return new ProjectionStats(
                live.size(),
                live.bytes(),
                openedFromLog.get(),
                openedFromCheckpoint.get(),
                openingNanos.get(),
                hits.sum(),
                live.evicted(),
                checkpoints.written());
    }

    /**
     * How many events other than stream chunks the live session that is farthest from its newest checkpoint has behind it:
     * what an opening would have to fold at most if all of them left memory now. Cost: O(live sessions).
     */
    public long checkpointLag() {
        return live.checkpointLag();
    }

    /** The types that stored events may have. */
    public EventTypes types() {
        return folds.types();
    }

    /** Takes in the types that were declared since. */
    public void refreshTypes() {
        folds.refreshTypes();
    }

    private Surface open(SessionId id) {
        LiveSession session = live.entry(id);
        if (!session.claim()) {
            return session.awaitOpen();
        }
        try {
            long began = System.nanoTime();
            Surface opened = open(id, session);
            openingNanos.addAndGet(System.nanoTime() - began);
            session.isOpen(opened);
            return opened;
        } catch (Throwable e) {
            live.remove(id, session);
            session.cannotOpen(e);
            throw e;
        }
    }

    private Surface open(SessionId id, LiveSession session) {
        StoredSession stored = store.find(id).orElseThrow(() -> new UnknownSessionException(id));
        Folded folded = folds.open(stored);
        Surface opened = session.open(stored.header(), folded);
        while (opened == null) {
            stored = store.find(id).orElseThrow(() -> new UnknownSessionException(id));
            folded = folded.then(folds.onward(folded.surface(), id, stored.nextSeq()));
            opened = session.open(stored.header(), folded);
        }
        session.used(LiveSessions.now());
        (folded.origin() == Origin.CHECKPOINT ? openedFromCheckpoint : openedFromLog).incrementAndGet();
        if (folded.origin() == Origin.LOG_FOR_WANT_OF_A_GOOD_CHECKPOINT) {
            checkpoints.write(id, opened);
        }
        live.changed(id, session);
        return opened;
    }

    /**
     * The surface as it was after this event. Cost: O(events up to it or from a checkpoint before it, without chunks but
     * those of an open step).
     */
    Surface asOf(SessionId id, long seq) {
        Surface current = surface(id);
        if (seq < 0 || seq >= current.nextSeq()) {
            current = refresh(id);
            if (seq < 0 || seq >= current.nextSeq()) {
                throw new UnknownEventException(id, seq, current.nextSeq());
            }
        }
        return seq == current.nextSeq() - 1 ? current : folds.asOf(id, seq, current);
    }

    /** Puts the checkpoint of a surface that was folded from the whole log in the place of any other; says whether it is stored. */
    boolean replaceCheckpoint(SessionId id, Surface folded) {
        live.remove(id);
        return checkpoints.replace(id, folded);
    }

    /** Writes the checkpoints of sessions that have grown since their last, as far as it pays. The surfaces can still be read. */
    @Override
    public void close() {
        live.writeAllAtLast();
        checkpoints.close();
    }
}
