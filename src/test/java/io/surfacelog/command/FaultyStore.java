package io.surfacelog.command;

import io.surfacelog.event.EventSeqs;
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
import io.surfacelog.store.Reclaimed;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.store.SessionRemoval;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoreInfo;
import io.surfacelog.store.StoreStatus;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.StoredSubscription;
import io.surfacelog.store.SubscriptionRequest;
import io.surfacelog.store.WriteOutcome;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A real store with places where a test may stop it, make it fail, or let something else happen. */
public final class FaultyStore implements EventStore {

    private final EventStore real;
    private volatile Consumer<List<SessionWrite>> beforeCommit = writes -> {};
    private volatile Function<List<SessionWrite>, Optional<List<WriteOutcome>>> insteadOfCommit =
            writes -> Optional.empty();
    private volatile UnaryOperator<List<WriteOutcome>> afterCommit = UnaryOperator.identity();
    private volatile Runnable afterLoad = () -> {};
    private volatile Consumer<SessionId> beforeEvents = id -> {};
    private volatile Runnable beforeCommits = () -> {};
    private volatile Runnable beforeStatus = () -> {};
    private volatile Consumer<SessionId> afterFind = id -> {};
    private volatile Runnable afterKeyed = () -> {};
    private volatile Consumer<StoredCheckpoint> beforeSave = checkpoint -> {};
    private volatile Consumer<LeaseRequest> beforeLease = request -> {};
    private volatile UnaryOperator<LeaseOutcome> afterLease = UnaryOperator.identity();
    private volatile Runnable beforeRenewal = () -> {};
    private volatile Consumer<StoredSubscription> beforeMove = moved -> {};
    private volatile Runnable beforeLastPosition = () -> {};

    public FaultyStore(EventStore real) {
        this.real = real;
    }

    /** Runs on the committing thread, before anything is stored. */
    public void beforeCommit(Consumer<List<SessionWrite>> action) {
        beforeCommit = action;
    }

    /** Answers in the place of the real store, which stores nothing then; empty to let it do its work. */
    public void insteadOfCommit(Function<List<SessionWrite>, Optional<List<WriteOutcome>>> action) {
        insteadOfCommit = action;
    }

    /** Runs on the committing thread, when all is stored. */
    public void afterCommit(UnaryOperator<List<WriteOutcome>> action) {
        afterCommit = action;
    }

    /** Runs when a log has been loaded. */
    public void afterLoad(Runnable action) {
        afterLoad = action;
    }

    /** Runs before events of a session are read. */
    public void beforeEvents(Consumer<SessionId> action) {
        beforeEvents = action;
    }

    /** Runs before it is looked how the store is. */
    public void beforeStatus(Runnable action) {
        beforeStatus = action;
    }

    /** Runs before commits are read. */
    public void beforeCommits(Runnable action) {
        beforeCommits = action;
    }

    /** Runs when a session has been looked up. */
    public void afterFind(Consumer<SessionId> action) {
        afterFind = action;
    }

    /** Runs when a key has been looked up. */
    public void afterKeyed(Runnable action) {
        afterKeyed = action;
    }

    /** Runs before a checkpoint is saved on its own. */
    public void beforeSave(Consumer<StoredCheckpoint> action) {
        beforeSave = action;
    }

    /** Runs before a lease is taken. */
    public void beforeLease(Consumer<LeaseRequest> action) {
        beforeLease = action;
    }

    /** Runs when a lease is taken, or was refused. */
    public void afterLease(UnaryOperator<LeaseOutcome> action) {
        afterLease = action;
    }

    /** Runs before a lease is renewed or released. */
    public void beforeRenewal(Runnable action) {
        beforeRenewal = action;
    }

    /** Runs before a durable subscription is moved, held for longer or let go. */
    public void beforeMove(Consumer<StoredSubscription> action) {
        beforeMove = action;
    }

    /** Runs before it is looked how far the store has come. */
    public void beforeLastPosition(Runnable action) {
        beforeLastPosition = action;
    }

    /** A store without faults from now on. */
    public void heal() {
        beforeCommit = writes -> {};
        insteadOfCommit = writes -> Optional.empty();
        afterCommit = UnaryOperator.identity();
        afterLoad = () -> {};
        beforeEvents = id -> {};
        beforeCommits = () -> {};
        afterFind = id -> {};
        afterKeyed = () -> {};
        beforeSave = checkpoint -> {};
        beforeLease = request -> {};
        afterLease = UnaryOperator.identity();
        beforeRenewal = () -> {};
        beforeMove = moved -> {};
        beforeLastPosition = () -> {};
    }

    @Override
    public StoreInfo info() {
        return real.info();
    }

    @Override
    public List<WriteOutcome> commit(List<SessionWrite> writes) {
        beforeCommit.accept(writes);
        return insteadOfCommit.apply(writes).orElseGet(() -> afterCommit.apply(real.commit(writes)));
    }

    @Override
    public WriteOutcome load(SessionHeader header, Iterator<SessionEvent> events) {
        WriteOutcome outcome = real.load(header, events);
        afterLoad.run();
        return outcome;
    }

    @Override
    public Optional<StoredSession> find(SessionId id) {
        Optional<StoredSession> found = real.find(id);
        afterFind.accept(id);
        return found;
    }

    @Override
    public SessionPage list(SessionFilter filter) {
        return real.list(filter);
    }

    @Override
    public List<SessionEvent> events(SessionId id, EventRange range) {
        beforeEvents.accept(id);
        return real.events(id, range);
    }

    @Override
    public void forEach(SessionId id, EventRange range, Consumer<SessionEvent> action) {
        beforeEvents.accept(id);
        real.forEach(id, range, action);
    }

    @Override
    public List<SessionEvent> events(SessionId id, EventSeqs seqs) {
        beforeEvents.accept(id);
        return real.events(id, seqs);
    }

    @Override
    public Optional<StoredCheckpoint> checkpoint(SessionId id) {
        return real.checkpoint(id);
    }

    @Override
    public boolean saveCheckpoint(SessionId id, StoredCheckpoint checkpoint) {
        beforeSave.accept(checkpoint);
        return real.saveCheckpoint(id, checkpoint);
    }

    @Override
    public void dropCheckpoints(SessionId id) {
        real.dropCheckpoints(id);
    }

    @Override
    public LeaseOutcome takeLease(LeaseRequest request) {
        beforeLease.accept(request);
        return afterLease.apply(real.takeLease(request));
    }

    @Override
    public boolean renewLease(SessionId id, LeasePurpose purpose, long token, long now, Duration duration) {
        beforeRenewal.run();
        return real.renewLease(id, purpose, token, now, duration);
    }

    @Override
    public boolean releaseLease(SessionId id, LeasePurpose purpose, long token, long now) {
        beforeRenewal.run();
        return real.releaseLease(id, purpose, token, now);
    }

    @Override
    public Optional<StoredLease> lease(SessionId id, LeasePurpose purpose) {
        return real.lease(id, purpose);
    }

    @Override
    public Optional<KeyedAppend> keyed(SessionId id, String key) {
        Optional<KeyedAppend> found = real.keyed(id, key);
        afterKeyed.run();
        return found;
    }

    @Override
    public List<StoredCommit> commits(long afterPosition, int limit) {
        beforeCommits.run();
        return real.commits(afterPosition, limit);
    }

    @Override
    public List<StoredCommit> commits(SessionId id, long afterPosition, int limit) {
        beforeCommits.run();
        return real.commits(id, afterPosition, limit);
    }

    @Override
    public StoreStatus status(long now) {
        beforeStatus.run();
        return real.status(now);
    }

    @Override
    public long lastPosition() {
        beforeLastPosition.run();
        return real.lastPosition();
    }

    @Override
    public Optional<StoredSubscription> takeSubscription(SubscriptionRequest request) {
        return real.takeSubscription(request);
    }

    @Override
    public boolean moveSubscription(StoredSubscription moved) {
        beforeMove.accept(moved);
        return real.moveSubscription(moved);
    }

    @Override
    public Optional<StoredSubscription> subscription(String name) {
        return real.subscription(name);
    }

    @Override
    public boolean dropSubscription(String name) {
        return real.dropSubscription(name);
    }

    @Override
    public SessionRemoval delete(SessionId id) {
        return real.delete(id);
    }

    @Override
    public ErasureProof erase(SessionId id, boolean cascade) {
        return real.erase(id, cascade);
    }

    @Override
    public Reclaimed reclaim() {
        return real.reclaim();
    }

    @Override
    public Set<String> declaredTypes() {
        return real.declaredTypes();
    }

    @Override
    public void declare(Collection<String> types) {
        real.declare(types);
    }

    @Override
    public List<StoreFault> verify(SessionId id) {
        return real.verify(id);
    }

    @Override
    public List<StoreFault> verifyShared() {
        return real.verifyShared();
    }

    @Override
    public void close() {
        real.close();
    }
}
