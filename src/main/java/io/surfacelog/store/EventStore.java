package io.surfacelog.store;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The durable log: what a backend must do. It keeps events and knows nothing of surfaces; admission has happened before
 * anything reaches it, and it compares every write with the stored tail once more, inside its transaction.
 *
 * <p>Applications use {@code SessionCommands} and {@code SessionQueries}, not this interface. All methods may be called
 * by any thread. What {@link #commit} has returned as committed survives the process, and, as far as the backend is
 * configured to, the machine; a read never returns anything but what was committed, and reports what it cannot read.
 */
public interface EventStore extends AutoCloseable {

    /** What and where this store is. Cost: O(1). */
    StoreInfo info();

    /**
     * How it is now, without writing and without waiting for whoever writes: to be asked now and then by those who watch
     * it. Cost: O(sessions + leases), a look at the file system, and one at the schema.
     *
     * @param now what the clock says, Unix epoch milliseconds
     * @throws ForeignStoreException if what is stored there is not of this version, or no store, any more
     * @throws StoreUnavailableException if it cannot be read, or can be seen not to be writable
     * @throws DamagedStoreException if what has to be read cannot be read as it was written
     */
    StoreStatus status(long now);

    /**
     * Commits all writes in one transaction, in the order given, and answers each: one that meets another tail than it
     * expects, an id already taken, a key already used or a damaged session leaves no trace, and the others are committed
     * all the same. A write sees the earlier ones of the list. A key is looked up before the tail is compared. Returns
     * after the commit is durable. Cost: O(events).
     *
     * @return one outcome for each write, in the same order
     * @throws StoreException if the transaction failed; none of the writes is stored then, unless the fault came with or
     *     after the commit itself: what the store holds decides, and whoever needs to know reads it
     */
    List<WriteOutcome> commit(List<SessionWrite> writes);

    /**
     * Creates a session with all these events in one transaction, however many they are. The iterator is read once, on this
     * thread and to its end, unless the id is taken; what it does must not write to this store. Returns after the commit is
     * durable. Cost: O(events).
     *
     * @param events admitted events with seqs from 0 on
     * @return committed, or that the id is taken, or that what stands in its way is damaged
     * @throws StoreException if the transaction failed; then nothing is stored
     * @throws RuntimeException whatever the iterator throws, unchanged; then nothing is stored
     */
    WriteOutcome load(SessionHeader header, Iterator<SessionEvent> events);

    /** The session as stored. Cost: O(1). */
    Optional<StoredSession> find(SessionId id);

    /** One page of sessions, newest first; what is damaged is named and hides no other. Cost: O(passed over + page). */
    SessionPage list(SessionFilter filter);

    /**
     * The events of the range, in seq order, at most {@code range.limit()} of them and hardly more than {@code range.bytes()};
     * none beyond the tail. Cost: O(events
     * of the range), whatever the length of the log; of chunks that are not asked for, next to nothing is read.
     *
     * @throws UnknownSessionException if there is no such session
     * @throws DamagedStoreException if a row in the range cannot be read as it was written, or is missing
     */
    List<SessionEvent> events(SessionId id, EventRange range);

    /**
     * Calls the action with each event of the range, page by page, so that memory stays flat and no lock or snapshot is held
     * meanwhile; all of them, whatever their size. Events committed while it runs may be included.
     */
    default void forEach(SessionId id, EventRange range, Consumer<SessionEvent> action) {
        long from = range.from();
        long left = range.limit();
        while (left > 0 && from < range.to()) {
            int page = (int) Math.min(left, EventRange.PAGE);
            List<SessionEvent> events = events(id, range.from(from).limit(page).bytes(Long.MAX_VALUE));
            events.forEach(action);
            if (events.size() < page) {
                return;
            }
            left -= events.size();
            from = events.get(events.size() - 1).seq() + 1;
        }
    }

    /**
     * Exactly these events, in the order given. Cost: O(events asked for), whatever the length of the log.
     *
     * @throws UnknownSessionException if there is no such session
     * @throws IllegalArgumentException if the session has no event of one of these seqs
     * @throws DamagedStoreException if the row of one cannot be read as it was written, or is missing
     */
    List<SessionEvent> events(SessionId id, EventSeqs seqs);

    /** What an idempotency key of this session was used for; empty for an unknown session. Cost: O(1). */
    Optional<KeyedAppend> keyed(SessionId id, String key);

    /** The commits after this position, in order: the global order of what happened. Cost: O(limit). */
    List<StoredCommit> commits(long afterPosition, int limit);

    /**
     * The commits of one session after this position, in order; none for an unknown session. A fork's first commit begins
     * behind the events it inherited. Cost: O(commits of the store after the position), of which those of other sessions
     * are passed over and not read.
     */
    default List<StoredCommit> commits(SessionId id, long afterPosition, int limit) {
        List<StoredCommit> found = new ArrayList<>();
        long after = afterPosition;
        while (found.size() < limit) {
            List<StoredCommit> page = commits(after, EventRange.PAGE);
            page.stream()
                    .filter(commit -> commit.session().equals(id))
                    .limit(limit - found.size())
                    .forEach(found::add);
            if (page.size() < EventRange.PAGE) {
                break;
            }
            after = page.get(page.size() - 1).position();
        }
        return found;
    }

    /** Position of the newest commit, 0 for an empty store. Cost: O(1). */
    long lastPosition();

    /**
     * The newest checkpoint of the session; empty if there is none, or no such session. Cost: O(its size).
     *
     * @throws DamagedStoreException if it cannot be read as it was written
     */
    Optional<StoredCheckpoint> checkpoint(SessionId id);

    /**
     * Keeps a checkpoint in the place of an older one, or of one after as many events. A checkpoint may be lost, but is never
     * kept beyond the events it stands for. Cost: O(its size).
     *
     * @return whether it is kept: not if there is no such session, if its tail is below the checkpoint, or if a newer one is
     *     kept already
     */
    boolean saveCheckpoint(SessionId id, StoredCheckpoint checkpoint);

    /** Throws the checkpoints of the session away; nothing if there are none, or no such session. */
    void dropCheckpoints(SessionId id);

    /**
     * Takes a lease, and stores the events that belong to its taking, in one transaction; what {@link LeaseRequest#decide}
     * says of the stored lease decides. Returns after the commit is durable. Cost: one commit.
     *
     * @throws DamagedStoreException if the stored lease cannot be read as it was written
     * @throws StoreException if the transaction failed; as with {@link #commit}, what the store holds decides then
     */
    LeaseOutcome takeLease(LeaseRequest request);

    /**
     * Makes the lease with this token live for this long from now on, also when it has expired meanwhile, as long as nobody
     * has taken it over. Cost: one commit.
     *
     * @param now what the clock of its holder says, Unix epoch milliseconds
     * @return whether it is renewed: not if it was released, or another token was given since
     * @throws DamagedStoreException if the stored lease cannot be read as it was written
     */
    boolean renewLease(SessionId id, LeasePurpose purpose, long token, long now, Duration duration);

    /**
     * Lets go of the lease with this token, so that the next one can be taken at once.
     *
     * @param now what the clock of its holder says, Unix epoch milliseconds
     * @return whether it is released now: not if it was before, or another token was given since
     * @throws DamagedStoreException if the stored lease cannot be read as it was written
     */
    boolean releaseLease(SessionId id, LeasePurpose purpose, long token, long now);

    /**
     * The lease taken last, live or not; empty if there never was one, or no such session. Cost: O(1).
     *
     * @throws DamagedStoreException if it cannot be read as it was written
     */
    Optional<StoredLease> lease(SessionId id, LeasePurpose purpose);

    /**
     * Takes a durable subscription, or begins it; what {@link SubscriptionRequest#decide} says of the stored one decides.
     * Returns after the commit is durable. Cost: one commit, without a position of its own.
     *
     * @return the subscription as it is stored now, held by the one who asks; empty if somebody else holds it
     * @throws UnknownSessionException if it is to be of a session that there is not
     * @throws DamagedStoreException if the stored subscription cannot be read as it was written
     */
    Optional<StoredSubscription> takeSubscription(SubscriptionRequest request);

    /**
     * Replaces a durable subscription by one of the same name, session and token: to move its position, to hold it for longer
     * or to let it go. Returns after the commit is durable. Cost: one commit, without a position of its own.
     *
     * @return whether it is replaced: not if there is none of this name, session and token
     * @throws DamagedStoreException if the stored subscription cannot be read as it was written
     */
    boolean moveSubscription(StoredSubscription moved);

    /**
     * The durable subscription of this name, held or not; empty if there is none. Cost: O(1).
     *
     * @throws DamagedStoreException if it cannot be read as it was written
     */
    Optional<StoredSubscription> subscription(String name);

    /** Forgets a durable subscription, whoever holds it. Returns whether there was one. Cost: one commit. */
    boolean dropSubscription(String name);

    /**
     * Removes a session: from now on it is unknown, and its id free. What other sessions share of its events stays, out of
     * sight, for as long as one of them is there; the rest goes, its durable subscriptions too, and with the last of them what
     * was kept for it. Bytes may be
     * left where they stood; {@link #erase} sees to those. Returns after it is durable. Cost: O(events it had of its own).
     *
     * @throws UnknownSessionException if there is no such session
     * @throws DamagedStoreException if what has to be known of it cannot be read as it was written
     */
    SessionRemoval delete(SessionId id);

    /**
     * Removes a session so that no byte of its content and its id is left in the files of the store, and proves it. Works for
     * one that was deleted earlier too. Writes of all processes wait meanwhile, reads of this one for moments. Cost:
     * O(store).
     *
     * @param cascade whether the sessions that hold events of it or name it as their parent are erased with it, and those
     *     that need these
     * @throws UnknownSessionException if there is no such session and never was
     * @throws SessionNeededException if there are such sessions and they are not to be erased; then nothing is changed
     * @throws ErasureIncompleteException if it is removed but cannot be proven to be gone; to be called again
     */
    ErasureProof erase(SessionId id, boolean cascade);

    /** Gives the space of what was removed back to the file system. Writes wait meanwhile. Cost: O(store). */
    Reclaimed reclaim();

    /** The log-only types recorded as declared, beyond those of the format. Cost: O(types). */
    Set<String> declaredTypes();

    /** Records these types as declared, so that every later reader can load their events; those of the format are left out. Idempotent, durable. */
    void declare(Collection<String> types);

    /**
     * Reads the session, its events and its keys, row by row, and reports all that is not as it was written: content,
     * gaps, counts, what stands where nothing should. Changes nothing and throws nothing for damage. Cost: O(log).
     *
     * @throws UnknownSessionException if there is no such session
     */
    List<StoreFault> verify(SessionId id);

    /**
     * Reads everything that belongs to no single session, the commits and the structure of the database among it: whether
     * every session is covered by its commits, whether rows of no session exist, whether indexes agree with their tables.
     * Changes nothing and throws nothing for damage. Cost: O(database).
     */
    List<StoreFault> verifyShared();

    /** Releases what the store holds; committed work is safe before and after. */
    @Override
    void close();
}
