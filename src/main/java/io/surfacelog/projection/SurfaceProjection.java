package io.surfacelog.projection;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * The query side's read model: the live surfaces. It alone applies committed events to them; commands plan on them and
 * queries read them. A session that is not live is opened from the store by the same admission that let its events in.
 *
 * <p>Live sessions are a bounded cache; leaving it loses nothing. Safe for use by several threads.
 */
public final class SurfaceProjection {

    private final EventStore store;
    private final int maxLiveSessions;
    private final ConcurrentMap<SessionId, LiveSession> live = new ConcurrentHashMap<>();
    private volatile EventTypes types;

    /** A projection of this store that keeps at most so many sessions live, from 1. */
    public SurfaceProjection(EventStore store, int maxLiveSessions) {
        if (maxLiveSessions < 1) {
            throw new IllegalArgumentException("expected at least 1 live session, found " + maxLiveSessions);
        }
        this.store = store;
        this.maxLiveSessions = maxLiveSessions;
        this.types = EventTypes.standard().with(store.declaredTypes());
    }

    /**
     * The surface of all events committed by this process, and of those of others it has seen. Cost: O(1) for a live
     * session, O(log) to open one.
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
        session.used(now());
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
        if (stored.nextSeq() == known.nextSeq()) {
            return known;
        }
        if (stored.nextSeq() < known.nextSeq()) {
            // the store has lost events, say to an older copy of it: what it holds is the truth
            live.remove(id);
            return open(id);
        }
        Surface folded = fold(known, id, stored.nextSeq());
        LiveSession session = live.get(id);
        Surface newer = session == null ? folded : session.advance(folded);
        return newer == null ? folded : newer;
    }

    /**
     * Applies a committed change. A live surface that has missed something before it is dropped, and opened from the
     * store when next asked for. Never reads the store.
     */
    public void apply(SessionId id, SurfaceChange change) {
        LiveSession session = live.get(id);
        if (session != null && !session.apply(change)) {
            live.remove(id, session);
        }
    }

    /** Makes a session live that was just committed as created. */
    public void created(SessionHeader header, SurfaceChange change) {
        LiveSession session = live.computeIfAbsent(header.id(), key -> new LiveSession(now()));
        // whoever has read it from the store already may be further
        session.open(header, change.after());
        session.used(now());
        trim();
    }

    /** Drops the live surface, so that the next look opens the session from the store. */
    public void forget(SessionId id) {
        live.remove(id);
    }

    /** How many sessions are live. */
    public int liveSessions() {
        return live.size();
    }

    /** The types that stored events may have. */
    public EventTypes types() {
        return types;
    }

    /** Takes in the types that were declared since. */
    public void refreshTypes() {
        types = EventTypes.standard().with(store.declaredTypes());
    }

    private Surface open(SessionId id) {
        LiveSession session = live.computeIfAbsent(id, key -> new LiveSession(now()));
        try {
            Surface folded = Surface.empty();
            while (true) {
                StoredSession stored = store.find(id).orElseThrow(() -> new UnknownSessionException(id));
                folded = fold(folded, id, stored.nextSeq());
                Surface opened = session.open(stored.header(), folded);
                if (opened != null) {
                    session.used(now());
                    trim();
                    return opened;
                }
            }
        } finally {
            if (session.surface() == null) {
                live.remove(id, session);
            }
        }
    }

    private Surface fold(Surface from, SessionId id, long to) {
        return admitted(id, declared -> {
            SurfacePlanner planner = from.planner(new SurfaceRules(declared, StructureMode.REPORT));
            store.forEach(id, EventRange.of(from.nextSeq(), to), event -> planner.fold(EventCandidate.of(event)));
            return planner.surface();
        });
    }

    /** Folds what is stored, with the types declared since if need be. */
    private Surface admitted(SessionId id, Function<EventTypes, Surface> fold) {
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

    /** The surface, messages and header as they were after this event. Cost: O(events up to it, without chunks). */
    Surface asOf(SessionId id, long seq) {
        Surface current = surface(id);
        if (seq < 0 || seq >= current.nextSeq()) {
            current = refresh(id);
            if (seq < 0 || seq >= current.nextSeq()) {
                throw new UnknownEventException(id, seq, current.nextSeq());
            }
        }
        if (seq == current.nextSeq() - 1) {
            return current;
        }
        return admitted(id, declared -> {
            SurfacePlanner planner = Surface.empty().planner(new SurfaceRules(declared, StructureMode.OFF));
            EventRange range = EventRange.of(0, seq + 1).kind(EventRange.Kind.NOT_CHUNK);
            store.forEach(id, range, event -> {
                planner.passTo(event.seq());
                planner.fold(EventCandidate.of(event));
            });
            planner.passTo(seq + 1);
            return planner.surface();
        });
    }

    /** What was stored was admitted, so a stored event that is refused is damage. */
    private static DamagedStoreException refused(SessionId id, AdmissionException e) {
        return new DamagedStoreException(new StoreFault(
                id, e.at().isPresent() ? e.at() : OptionalLong.empty(), "event", "not admissible: " + e.detail()));
    }

    private void trim() {
        int over = live.size() - maxLiveSessions;
        if (over <= 0) {
            return;
        }
        // a batch at a time, so that a full cache does not sort itself for every session it takes in
        int leave = over + maxLiveSessions / 8;
        // ages are read once: a sort of ages that change meanwhile may fail
        live.entrySet().stream()
                .map(entry -> new Age(
                        entry.getKey(), entry.getValue(), entry.getValue().lastUsed()))
                .sorted(Comparator.comparingLong(Age::lastUsed))
                .limit(leave)
                .forEach(age -> live.remove(age.id(), age.session()));
    }

    private record Age(SessionId id, LiveSession session, long lastUsed) {}

    private static long now() {
        return System.nanoTime() >> 20;
    }
}
