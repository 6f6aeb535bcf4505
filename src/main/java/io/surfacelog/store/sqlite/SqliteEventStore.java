package io.surfacelog.store.sqlite;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.ForeignStoreException;
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
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.StoredSubscription;
import io.surfacelog.store.SubscriptionRequest;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.WriteOutcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store in one SQLite file, for one machine: any number of processes may have it open, one of them writes at a time.
 *
 * <pre>{@code
 * try (EventStore store = SqliteEventStore.open(SqliteSettings.at(Path.of("data/surfacelog.db")))) { … }
 * }</pre>
 *
 * <p>A commit is durable as {@link SqliteSettings.Synchronous} says. Reads never wait for writes. Every row carries a
 * checksum over all its columns, which each read compares; see {@link #verify} for what only a full look can find. The
 * file belongs on a local disk: network file systems do not keep the locks it needs. Safe for use by any number of
 * threads.
 */
public final class SqliteEventStore implements EventStore {

    /** Whoever meets a store that another process is just creating waits for that at least. */
    private static final Duration CREATION = Duration.ofSeconds(30);

    private static final int PAGE_EVENTS = 1_000;
    private static final long PAGE_BYTES = 8L << 20;

    private final SqliteDatabase database;
    private final StoreInfo info;
    private final WriterMemory memory = new WriterMemory();
    private final Erasing erasing;
    private final StatusReading status;

    private SqliteEventStore(SqliteDatabase database, StoreInfo info, Erasing erasing, StatusReading status) {
        this.database = database;
        this.info = info;
        this.erasing = erasing;
        this.status = status;
    }

    /**
     * Opens the store, and creates it if there is no file or an empty one; several processes may do so at once.
     *
     * @throws ForeignStoreException if the file is something else, or a store of another version; it is left as it is
     * @throws StoreUnavailableException if the file cannot be read, written or created
     */
    public static SqliteEventStore open(SqliteSettings settings) {
        return open(settings, UnaryOperator.identity());
    }

    /** The same, with something between the store and its connections, so that tests can make them fail. */
    static SqliteEventStore open(SqliteSettings settings, UnaryOperator<Connection> wiring) {
        Path file = settings.file().toAbsolutePath().normalize();
        SqliteErrors errors = new SqliteErrors(file);
        Duration patience = settings.busyTimeout().compareTo(CREATION) > 0 ? settings.busyTimeout() : CREATION;
        SqliteUrl waiting = new SqliteUrl(file, patience);
        SchemaGuard guard = new SchemaGuard(file, waiting, errors, SchemaShape.ofThisVersion());
        if (guard.inspectFile() == SchemaGuard.Finding.NEW) {
            new StoreBirth(file, waiting, errors, guard).create(settings.pageSize());
        }
        SqliteUrl url = new SqliteUrl(file, settings.busyTimeout());
        SqliteDatabase database = SqliteDatabase.open(file, settings, url, errors, wiring);
        try {
            String storeId =
                    database.read("reading its id", null, MetaRow::read).storeId();
            return new SqliteEventStore(
                    database,
                    new StoreInfo("sqlite", file.toString(), storeId, SchemaShape.VERSION),
                    new Erasing(database, file, settings.busyTimeout()),
                    new StatusReading(database, file, guard));
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /**
     * Whether opening would begin a new store: there is no file, an empty one, or a database without any table. Changes
     * nothing.
     *
     * @throws ForeignStoreException if the file is something else, or a store of another version
     * @throws StoreUnavailableException if the file cannot be read
     */
    public static boolean wouldCreate(SqliteSettings settings) {
        Path file = settings.file().toAbsolutePath().normalize();
        SqliteUrl url = new SqliteUrl(file, settings.busyTimeout());
        SqliteErrors errors = new SqliteErrors(file);
        return new SchemaGuard(file, url, errors, SchemaShape.ofThisVersion()).inspectFile() == SchemaGuard.Finding.NEW;
    }

    @Override
    public StoreInfo info() {
        return info;
    }

    @Override
    public StoreStatus status(long now) {
        return status.read(now);
    }

    @Override
    public List<WriteOutcome> commit(List<SessionWrite> writes) {
        List<SessionWrite> all = List.copyOf(writes);
        if (all.isEmpty()) {
            return List.of();
        }
        String doing = "committing " + all.size() + (all.size() == 1 ? " write" : " writes");
        Map<Integer, StoreFault> refused = new HashMap<>();
        while (true) {
            try {
                return database.write(
                        doing, link -> new CommitTransaction(link, memory, refused).run(all), memory::committed);
            } catch (CommitTransaction.WriteFailed e) {
                // at most once for each write: it is refused in the next attempt
                refused.put(e.write(), e.fault());
            }
        }
    }

    @Override
    public WriteOutcome load(SessionHeader header, Iterator<SessionEvent> events) {
        return database.write(
                "importing session " + header.id(),
                link -> new SessionLoad(link, memory).run(header, events),
                memory::committed);
    }

    @Override
    public Optional<StoredSession> find(SessionId id) {
        return database.read("reading session " + id, id, link -> {
            Optional<SessionRow> row = Catalog.session(link, id);
            return row.isPresent() ? Optional.of(row.get().stored()) : Optional.empty();
        });
    }

    @Override
    public SessionPage list(SessionFilter filter) {
        return database.read("listing sessions", null, link -> Catalog.list(link, filter));
    }

    @Override
    public List<SessionEvent> events(SessionId id, EventRange range) {
        return database.read(
                "reading session " + id, id, link -> new EventReading(link, known(link, id), range).events());
    }

    @Override
    public List<SessionEvent> events(SessionId id, EventSeqs seqs) {
        return database.read("reading session " + id, id, link -> new EventPicking(link, known(link, id)).events(seqs));
    }

    @Override
    public void forEach(SessionId id, EventRange range, Consumer<SessionEvent> action) {
        EventReading.Page page = null;
        do {
            page = page(id, range, page);
            page.events().forEach(action);
        } while (!page.last());
    }

    private EventReading.Page page(SessionId id, EventRange range, EventReading.@Nullable Page before) {
        return database.read(
                "reading session " + id,
                id,
                link -> new EventReading(link, known(link, id), range).page(before, PAGE_EVENTS, PAGE_BYTES));
    }

    @Override
    public Optional<KeyedAppend> keyed(SessionId id, String key) {
        return database.read("looking up a key of session " + id, id, link -> {
            Optional<SessionRow> session = Catalog.session(link, id);
            return session.isPresent() ? Catalog.keyed(link, session.get(), key) : Optional.empty();
        });
    }

    @Override
    public List<StoredCommit> commits(long afterPosition, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("expected a limit from 1, found " + limit);
        }
        return database.read("reading commits", null, link -> Catalog.commits(link, afterPosition, limit));
    }

    @Override
    public List<StoredCommit> commits(SessionId id, long afterPosition, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("expected a limit from 1, found " + limit);
        }
        return database.read("reading commits of session " + id, id, link -> {
            Optional<SessionRow> session = Catalog.session(link, id);
            return session.isPresent()
                    ? CommitRow.ofSession(link, session.get(), Math.max(afterPosition, 0), limit)
                    : List.of();
        });
    }

    @Override
    public long lastPosition() {
        return database.read("reading the last commit", null, Catalog::lastPosition);
    }

    @Override
    public Optional<StoredCheckpoint> checkpoint(SessionId id) {
        return database.read("reading the checkpoint of session " + id, id, link -> {
            Optional<SessionRow> session = Catalog.session(link, id);
            return session.isPresent() ? CheckpointRow.find(link, session.get().number(), id) : Optional.empty();
        });
    }

    @Override
    public boolean saveCheckpoint(SessionId id, StoredCheckpoint checkpoint) {
        return database.write("keeping a checkpoint of session " + id, link -> {
            Optional<SessionRow> session = Catalog.session(link, id);
            return session.isPresent() && CheckpointRow.save(link, session.get(), checkpoint);
        });
    }

    @Override
    public void dropCheckpoints(SessionId id) {
        database.write("dropping checkpoints of session " + id, link -> {
            Optional<SessionRow> session = Catalog.session(link, id);
            if (session.isPresent()) {
                CheckpointRow.delete(link, session.get().number());
            }
            return session;
        });
    }

    @Override
    public LeaseOutcome takeLease(LeaseRequest request) {
        LeaseTaking taking = new LeaseTaking(memory);
        try {
            return database.write(
                    "taking a lease on session " + request.session(),
                    link -> taking.take(link, request),
                    taking::committed);
        } catch (CommitTransaction.WriteFailed e) {
            return new LeaseOutcome.NotWritten(new WriteOutcome.Damaged(e.fault()));
        }
    }

    @Override
    public boolean renewLease(SessionId id, LeasePurpose purpose, long token, long now, Duration duration) {
        return database.write(
                "renewing a lease on session " + id,
                link -> LeaseTaking.change(link, id, purpose, token, lease -> lease.renewed(now, duration)));
    }

    @Override
    public boolean releaseLease(SessionId id, LeasePurpose purpose, long token, long now) {
        return database.write(
                "releasing a lease on session " + id,
                link -> LeaseTaking.change(link, id, purpose, token, lease -> lease.released(now)));
    }

    @Override
    public Optional<StoredLease> lease(SessionId id, LeasePurpose purpose) {
        return database.read("reading a lease on session " + id, id, link -> {
            Optional<SessionRow> session = Catalog.session(link, id);
            return session.isPresent() ? LeaseRow.find(link, session.get(), purpose) : Optional.empty();
        });
    }

    @Override
    public Optional<StoredSubscription> takeSubscription(SubscriptionRequest request) {
        return database.write("taking the subscription " + request.name(), link -> SubscriptionRow.take(link, request));
    }

    @Override
    public boolean moveSubscription(StoredSubscription moved) {
        return database.write("moving the subscription " + moved.name(), link -> SubscriptionRow.move(link, moved));
    }

    @Override
    public Optional<StoredSubscription> subscription(String name) {
        return database.read("reading the subscription " + name, null, link -> SubscriptionRow.find(link, name));
    }

    @Override
    public boolean dropSubscription(String name) {
        return database.write("forgetting the subscription " + name, link -> SubscriptionRow.drop(link, name));
    }

    @Override
    public SessionRemoval delete(SessionId id) {
        return database.write(
                "deleting session " + id,
                link -> {
                    memory.begin(link);
                    return new Removal(link, memory, info.storeId(), System.currentTimeMillis())
                            .remove(known(link, id), AuditRow.DELETE);
                },
                memory::committed);
    }

    @Override
    public ErasureProof erase(SessionId id, boolean cascade) {
        return erasing.prove(database.write(
                "erasing session " + id,
                link -> new ErasureTransaction(link, memory, info.storeId(), System.currentTimeMillis())
                        .run(id, cascade),
                memory::committed));
    }

    @Override
    public Reclaimed reclaim() {
        return erasing.reclaim();
    }

    @Override
    public Set<String> declaredTypes() {
        return database.read("reading declared types", null, Catalog::declaredTypes);
    }

    @Override
    public void declare(Collection<String> types) {
        Set<String> added = EventTypes.standard().with(types).added();
        if (declaredTypes().containsAll(added)) {
            return; // whoever only reads must not wait for who writes
        }
        database.write("declaring types", link -> {
            Declaration.record(link, added);
            return added;
        });
    }

    @Override
    public List<StoreFault> verify(SessionId id) {
        return database.read("verifying session " + id, id, link -> new SessionVerification(link, id).run());
    }

    @Override
    public List<StoreFault> verifyShared() {
        return database.read("verifying", null, link -> new SharedVerification(link).run());
    }

    @Override
    public void close() {
        database.close();
    }

    /** For tests of what goes wrong beneath. */
    SqliteDatabase database() {
        return database;
    }

    private static SessionRow known(SqliteLink link, SessionId id) throws SQLException, DamagedRow {
        return Catalog.session(link, id).orElseThrow(() -> new UnknownSessionException(id));
    }
}
