package io.surfacelog.store.memory;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.KeyedAppend;
import io.surfacelog.store.LeaseOutcome;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.LeaseToken;
import io.surfacelog.store.Reclaimed;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.store.SessionRemoval;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoreInfo;
import io.surfacelog.store.StoreStatus;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.StoredSubscription;
import io.surfacelog.store.SubscriptionRequest;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store that lives in memory and is gone when it is closed: for tests, and for sessions nobody will ask for again.
 *
 * <pre>{@code
 * EventStore store = MemoryEventStore.create();
 * }</pre>
 *
 * <p>It answers exactly as the durable ones do, but for durability. Everything that was ever committed stays on the heap;
 * for a log that outlives its process use another backend. Safe for use by any number of threads.
 */
public final class MemoryEventStore implements EventStore {

    private final StoreInfo info =
            new StoreInfo("memory", "memory", UUID.randomUUID().toString(), 1);
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<SessionId, MemorySession> sessions = new HashMap<>();
    /** By ordinal, from 1; null where one was removed. */
    private final List<@Nullable MemorySession> inOrder = new ArrayList<>();

    /** By position, from 1; null where the session was removed. */
    private final List<@Nullable StoredCommit> commits = new ArrayList<>();

    private final MemoryRemoval removal = new MemoryRemoval(sessions, this::remove);
    private final Set<String> types = new TreeSet<>();
    private final Map<String, StoredSubscription> subscriptions = new HashMap<>();
    private boolean closed;

    private MemoryEventStore() {}

    /** A new, empty store. */
    public static MemoryEventStore create() {
        return new MemoryEventStore();
    }

    @Override
    public StoreInfo info() {
        return info;
    }

    @Override
    public StoreStatus status(long now) {
        return locked(
                lock.readLock(),
                () -> new StoreStatus(
                        sessions.size(),
                        sessions.values().stream()
                                .flatMap(session -> Arrays.stream(LeasePurpose.values())
                                        .map(session::lease)
                                        .filter(Objects::nonNull))
                                .filter(lease -> lease.isLive(now))
                                .count(),
                        commits.size(),
                        OptionalLong.empty()));
    }

    @Override
    public List<WriteOutcome> commit(List<SessionWrite> writes) {
        List<SessionWrite> all = List.copyOf(writes);
        return locked(lock.writeLock(), () -> all.stream().map(this::write).toList());
    }

    @Override
    public WriteOutcome load(SessionHeader header, Iterator<SessionEvent> events) {
        if (find(header.id()).isPresent()) {
            return new WriteOutcome.IdTaken();
        }
        List<SessionEvent> all = new ArrayList<>();
        events.forEachRemaining(all::add);
        return commit(List.of(SessionWrite.create(header, all))).get(0);
    }

    private WriteOutcome write(SessionWrite write) {
        MemorySession session = sessions.get(write.id());
        if (session != null) {
            for (String key : write.keys().keySet()) {
                KeyedAppend first = session.keyed(key);
                if (first != null) {
                    return new WriteOutcome.KeyUsed(key, first);
                }
            }
            if (write.create() != null) {
                return new WriteOutcome.IdTaken();
            }
            LeaseToken token = write.token();
            StoredLease lease = token == null ? null : session.lease(token.purpose());
            if (token != null && (lease == null || lease.holder() == null || lease.token() != token.token())) {
                return new WriteOutcome.LeaseLost(lease);
            }
            if (session.nextSeq() != write.expectedNextSeq()) {
                return new WriteOutcome.TailMoved(session.nextSeq());
            }
        } else if (write.create() == null) {
            return new WriteOutcome.NoSuchSession();
        } else {
            MemorySession source = write.prefixOf() == null ? null : sessions.get(write.prefixOf());
            if (write.prefixOf() != null && source == null) {
                return new WriteOutcome.NoSuchSession();
            }
            if (source != null && source.nextSeq() < write.expectedNextSeq()) {
                return new WriteOutcome.TailMoved(source.nextSeq());
            }
            long ordinal = inOrder.size() + 1L;
            session = source == null
                    ? new MemorySession(write.create(), ordinal)
                    : source.fork(write.create(), ordinal, write.expectedNextSeq());
            sessions.put(write.id(), session);
            inOrder.add(session);
        }
        session.append(write);
        long position = commits.size() + 1L;
        commits.add(new StoredCommit(position, write.id(), write.expectedNextSeq(), write.nextSeq()));
        return new WriteOutcome.Committed(position);
    }

    @Override
    public Optional<StoredSession> find(SessionId id) {
        return locked(
                lock.readLock(), () -> Optional.ofNullable(sessions.get(id)).map(MemorySession::stored));
    }

    @Override
    public SessionPage list(SessionFilter filter) {
        return locked(lock.readLock(), () -> {
            List<StoredSession> page = new ArrayList<>();
            for (long at = Math.min(filter.before() - 1, inOrder.size()); at >= 1; at--) {
                MemorySession session = inOrder.get((int) at - 1);
                if (session == null || !session.matches(filter)) {
                    continue;
                }
                if (page.size() == filter.limit()) {
                    return new SessionPage(
                            page, OptionalLong.of(page.get(page.size() - 1).ordinal()));
                }
                page.add(session.stored());
            }
            return new SessionPage(page, OptionalLong.empty());
        });
    }

    @Override
    public List<SessionEvent> events(SessionId id, EventRange range) {
        return locked(lock.readLock(), () -> known(id).events(range));
    }

    @Override
    public List<SessionEvent> events(SessionId id, EventSeqs seqs) {
        return locked(lock.readLock(), () -> known(id).events(seqs));
    }

    @Override
    public Optional<StoredCheckpoint> checkpoint(SessionId id) {
        return locked(
                lock.readLock(), () -> Optional.ofNullable(sessions.get(id)).map(MemorySession::checkpoint));
    }

    @Override
    public boolean saveCheckpoint(SessionId id, StoredCheckpoint checkpoint) {
        return locked(lock.writeLock(), () -> {
            MemorySession session = sessions.get(id);
            return session != null && session.save(checkpoint);
        });
    }

    @Override
    public void dropCheckpoints(SessionId id) {
        locked(lock.writeLock(), () -> {
            MemorySession session = sessions.get(id);
            if (session != null) {
                session.dropCheckpoint();
            }
            return id;
        });
    }

    @Override
    public LeaseOutcome takeLease(LeaseRequest request) {
        return locked(lock.writeLock(), () -> take(request));
    }

    private LeaseOutcome take(LeaseRequest request) {
        MemorySession session = sessions.get(request.session());
        if (session == null) {
            return new LeaseOutcome.NotWritten(new WriteOutcome.NoSuchSession());
        }
        StoredLease current = session.lease(request.purpose());
        StoredLease taken = request.decide(current).orElse(null);
        if (taken == null) {
            return new LeaseOutcome.Held(Objects.requireNonNull(current));
        }
        if (request.expectedNextSeq().orElse(session.nextSeq()) != session.nextSeq()) {
            return new LeaseOutcome.NotWritten(new WriteOutcome.TailMoved(session.nextSeq()));
        }
        OptionalLong position = OptionalLong.empty();
        if (!request.events().isEmpty()) {
            WriteOutcome written =
                    write(SessionWrite.append(request.session(), session.nextSeq(), request.events(), null));
            if (!(written instanceof WriteOutcome.Committed committed)) {
                return new LeaseOutcome.NotWritten(written);
            }
            position = OptionalLong.of(committed.position());
        }
        session.put(taken);
        return new LeaseOutcome.Taken(taken, position);
    }

    @Override
    public boolean renewLease(SessionId id, LeasePurpose purpose, long token, long now, Duration duration) {
        return change(id, purpose, token, lease -> lease.renewed(now, duration));
    }

    @Override
    public boolean releaseLease(SessionId id, LeasePurpose purpose, long token, long now) {
        return change(id, purpose, token, lease -> lease.released(now));
    }

    private boolean change(SessionId id, LeasePurpose purpose, long token, UnaryOperator<StoredLease> change) {
        return locked(lock.writeLock(), () -> {
            MemorySession session = sessions.get(id);
            StoredLease lease = session == null ? null : session.lease(purpose);
            if (session == null || lease == null || lease.holder() == null || lease.token() != token) {
                return false;
            }
            session.put(change.apply(lease));
            return true;
        });
    }

    @Override
    public Optional<StoredLease> lease(SessionId id, LeasePurpose purpose) {
        return locked(
                lock.readLock(), () -> Optional.ofNullable(sessions.get(id)).map(session -> session.lease(purpose)));
    }

    @Override
    public Optional<KeyedAppend> keyed(SessionId id, String key) {
        return locked(
                lock.readLock(), () -> Optional.ofNullable(sessions.get(id)).map(session -> session.keyed(key)));
    }

    @Override
    public List<StoredCommit> commits(long afterPosition, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("expected a limit from 1, found " + limit);
        }
        return locked(lock.readLock(), () -> {
            int from = (int) Math.min(Math.max(afterPosition, 0), commits.size());
            return commits.subList(from, commits.size()).stream()
                    .filter(Objects::nonNull)
                    .limit(limit)
                    .toList();
        });
    }

    @Override
    public long lastPosition() {
        return locked(lock.readLock(), () -> (long) commits.size());
    }

    @Override
    public Optional<StoredSubscription> takeSubscription(SubscriptionRequest request) {
        return locked(lock.writeLock(), () -> {
            long ordinal =
                    request.session() == null ? 0 : known(request.session()).ordinal();
            Optional<StoredSubscription> taken = request.decide(subscriptions.get(request.name()), ordinal);
            taken.ifPresent(now -> subscriptions.put(now.name(), now));
            return taken;
        });
    }

    @Override
    public boolean moveSubscription(StoredSubscription moved) {
        return locked(lock.writeLock(), () -> {
            StoredSubscription stored = subscriptions.get(moved.name());
            if (stored == null || stored.token() != moved.token() || stored.session() != moved.session()) {
                return false;
            }
            subscriptions.put(moved.name(), moved);
            return true;
        });
    }

    @Override
    public Optional<StoredSubscription> subscription(String name) {
        return locked(lock.readLock(), () -> Optional.ofNullable(subscriptions.get(name)));
    }

    @Override
    public boolean dropSubscription(String name) {
        return locked(lock.writeLock(), () -> subscriptions.remove(name) != null);
    }

    @Override
    public SessionRemoval delete(SessionId id) {
        return locked(lock.writeLock(), () -> removal.delete(known(id)));
    }

    /** Nothing of it is reachable afterwards; when the memory is written over is for the virtual machine to decide. */
    @Override
    public ErasureProof erase(SessionId id, boolean cascade) {
        return locked(lock.writeLock(), () -> removal.erase(id, sessions.get(id), cascade));
    }

    /** Memory is given back by the virtual machine. */
    @Override
    public Reclaimed reclaim() {
        return locked(lock.readLock(), () -> new Reclaimed(0, 0));
    }

    private void remove(MemorySession session) {
        SessionId id = session.header().id();
        sessions.remove(id);
        inOrder.set((int) session.ordinal() - 1, null);
        subscriptions.values().removeIf(subscription -> subscription.session() == session.ordinal());
        commits.replaceAll(commit -> commit != null && commit.session().equals(id) ? null : commit);
    }

    @Override
    public Set<String> declaredTypes() {
        return locked(lock.readLock(), () -> Collections.unmodifiableSet(new TreeSet<>(types)));
    }

    @Override
    public void declare(Collection<String> declared) {
        Set<String> added = EventTypes.standard().with(declared).added();
        locked(lock.writeLock(), () -> types.addAll(added));
    }

    /** Memory is taken to be as it was written: there is never anything to report. */
    @Override
    public List<StoreFault> verify(SessionId id) {
        return locked(lock.readLock(), () -> {
            known(id);
            return List.of();
        });
    }

    /** Memory is taken to be as it was written: there is never anything to report. */
    @Override
    public List<StoreFault> verifyShared() {
        return locked(lock.readLock(), List::of);
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            closed = true;
            sessions.clear();
            inOrder.clear();
            commits.clear();
            types.clear();
            subscriptions.clear();
        } finally {
            lock.writeLock().unlock();
        }
    }

    private MemorySession known(SessionId id) {
        MemorySession session = sessions.get(id);
        if (session == null) {
            throw new UnknownSessionException(id);
        }
        return session;
    }

    private <T> T locked(Lock part, Supplier<T> work) {
        part.lock();
        try {
            if (closed) {
                throw new StoreUnavailableException(
                        Reason.CLOSED, "this memory store is closed and what it held is gone; open a new one");
            }
            return work.get();
        } finally {
            part.unlock();
        }
    }
}
