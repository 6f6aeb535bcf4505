package io.surfacelog.store.memory;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.SessionNeededException;
import io.surfacelog.store.SessionRemoval;
import io.surfacelog.store.UnknownSessionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who needs whom, and who was there. Forks hold copies here, so nothing has to be kept for them; what is answered is what a
 * store that shares events would. Guarded by the lock of the store.
 */
final class MemoryRemoval {

    private final Map<SessionId, MemorySession> sessions;
    private final Consumer<MemorySession> remove;

    /** The ordinals of removed sessions by their ids. */
    private final Map<SessionId, Set<Long>> removed = new HashMap<>();

    /** The consumer takes a session out of the store. */
    MemoryRemoval(Map<SessionId, MemorySession> sessions, Consumer<MemorySession> remove) {
        this.sessions = sessions;
        this.remove = remove;
    }

    SessionRemoval delete(MemorySession session) {
        List<SessionId> neededBy = new ArrayList<>();
        long kept = session.firstSeq();
        for (MemorySession child : needing(session.ordinal())) {
            neededBy.add(child.header().id());
            for (MemoryPart part : child.inherited()) {
                kept = part.owner() == session.ordinal() ? Math.max(kept, part.to()) : kept;
            }
        }
        remove(session);
        return new SessionRemoval(
                session.header().id(), session.nextSeq() - session.firstSeq(), kept - session.firstSeq(), neededBy);
    }

    private void remove(MemorySession session) {
        removed.computeIfAbsent(session.header().id(), id -> new HashSet<>()).add(session.ordinal());
        remove.accept(session);
    }

    ErasureProof erase(SessionId id, @Nullable MemorySession session, boolean cascade) {
        Set<Long> earlier = removed.getOrDefault(id, Set.of());
        if (session == null && earlier.isEmpty()) {
            throw new UnknownSessionException(id);
        }
        Collection<MemorySession> needing = allNeeding(id, session, earlier);
        if (!cascade && !needing.isEmpty()) {
            throw new SessionNeededException(
                    id, needing.stream().map(one -> one.header().id()).toList());
        }
        List<SessionId> ids = new ArrayList<>(List.of(id));
        List<MemorySession> youngestFirst = new ArrayList<>(needing);
        youngestFirst.sort((a, b) -> Long.compare(b.ordinal(), a.ordinal()));
        youngestFirst.forEach(one -> ids.add(one.header().id()));
        List<ErasureProof.InheritedPart> inherited = new ArrayList<>();
        if (session != null) {
            for (MemoryPart part : session.inherited()) {
                inherited.add(new ErasureProof.InheritedPart(part.ownerId().value(), part.from(), part.to()));
            }
            youngestFirst.add(session);
        }
        long events = 0;
        for (MemorySession one : youngestFirst) {
            events += one.nextSeq() - one.firstSeq();
            remove(one);
        }
        return new ErasureProof(ids, events, events, inherited, 0, List.of(), 0, 0, 0);
    }

    private List<MemorySession> needing(long owner) {
        return sessions.values().stream()
                .filter(session -> session.inherited().stream().anyMatch(part -> part.owner() == owner))
                .sorted((a, b) -> Long.compare(a.ordinal(), b.ordinal()))
                .toList();
    }

    private Collection<MemorySession> allNeeding(SessionId id, @Nullable MemorySession session, Set<Long> earlier) {
        TreeMap<Long, MemorySession> found = new TreeMap<>();
        Deque<Long> owners = new ArrayDeque<>(earlier);
        Deque<SessionId> parents = new ArrayDeque<>(List.of(id));
        if (session != null) {
            owners.add(session.ordinal());
        }
        while (!owners.isEmpty() || !parents.isEmpty()) {
            List<MemorySession> more = owners.isEmpty() ? children(parents.remove()) : needing(owners.remove());
            for (MemorySession one : more) {
                if (one != session && found.put(one.ordinal(), one) == null) {
                    owners.add(one.ordinal());
                    parents.add(one.header().id());
                }
            }
        }
        return found.values();
    }

    private List<MemorySession> children(SessionId parent) {
        return sessions.values().stream()
                .filter(session -> session.header()
                        .parentSession()
                        .filter(parent.value()::equals)
                        .isPresent())
                .toList();
    }
}
