package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.KeyedAppend;
import io.surfacelog.store.LeaseToken;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.WriteOutcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one commit, inside its transaction. A session's row is read when it is first written to, unless the last
 * commit left it in memory, and updated once at the end, however many writes it has.
 */
final class CommitTransaction {

    static final String INSERT_EVENT =
            "INSERT INTO event (" + EventRow.COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String NEXT_SESSION = """
            SELECT max(coalesce((SELECT max(number) FROM session), 0),
                       coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'session'), 0)) + 1
            """;

    static final String INSERT_SESSION =
            "INSERT INTO session (" + SessionRow.COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String UPDATE_SESSION = """
            UPDATE session
            SET next_seq = ?,
                surface_count = ?,
                surface_hash = ?,
                checksum = ?
            WHERE number = ?
            """;

    static final String INSERT_COMMIT = """
            INSERT INTO commit_log (position, session, from_seq, to_seq, checksum)
            VALUES (?, ?, ?, ?, ?)
            """;

    private static final String INSERT_KEY = """
            INSERT INTO idempotency_key (session, key, first_seq, n, checksum)
            VALUES (?, ?, ?, ?, ?)
            """;

    /** One write met damage when some of it was already written, so that the transaction must be made without it. */
    static final class WriteFailed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final int write;
        private final transient StoreFault fault;

        WriteFailed(int write, StoreFault fault, SQLException cause) {
            super(fault.toString(), cause);
            this.write = write;
            this.fault = fault;
        }

        int write() {
            return write;
        }

        StoreFault fault() {
            return fault;
        }
    }

    private final SqliteLink link;
    private final Map<Integer, StoreFault> refused;
    private final WriterMemory memory;
    private final Map<SessionId, SessionRow> grown = new LinkedHashMap<>();

    /**
     * A transaction that has begun.
     *
     * @param refused what is known of writes that failed in an earlier attempt, by their place in the list
     */
    CommitTransaction(SqliteLink link, WriterMemory memory, Map<Integer, StoreFault> refused) {
        this.link = link;
        this.memory = memory;
        this.refused = refused;
    }

    List<WriteOutcome> run(List<SessionWrite> writes) throws SQLException, DamagedRow {
        memory.begin(link);
        List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            StoreFault fault = refused.get(i);
            outcomes.add(fault == null ? write(i, writes.get(i)) : new WriteOutcome.Damaged(fault));
        }
        for (SessionRow row : grown.values()) {
            PreparedStatement update = link.statement(UPDATE_SESSION);
            row.bindUpdate(update);
            update.executeUpdate();
        }
        return outcomes;
    }

    private WriteOutcome write(int index, SessionWrite write) throws SQLException {
        SessionId id = write.id();
        SessionRow session;
        try {
            session = session(id);
            if (session != null) {
                for (String key : write.keys().keySet()) {
                    Optional<KeyedAppend> first = Catalog.keyed(link, session, key);
                    if (first.isPresent()) {
                        return new WriteOutcome.KeyUsed(key, first.get());
                    }
                }
            }
        } catch (DamagedRow e) {
            return new WriteOutcome.Damaged(e.fault());
        }
        SessionHeader header = write.create();
        if (header != null) {
            return session == null ? begin(index, write, header) : new WriteOutcome.IdTaken();
        }
        if (session == null) {
            return new WriteOutcome.NoSuchSession();
        }
        LeaseToken token = write.token();
        if (token != null) {
            StoredLease lease;
            try {
                lease = LeaseRow.find(link, session, token.purpose()).orElse(null);
            } catch (DamagedRow e) {
                return new WriteOutcome.Damaged(e.fault());
            }
            if (lease == null || lease.holder() == null || lease.token() != token.token()) {
                return new WriteOutcome.LeaseLost(lease);
            }
        }
        if (session.nextSeq() != write.expectedNextSeq()) {
            return new WriteOutcome.TailMoved(session.nextSeq());
        }
        SessionRow after = insertEvents(index, session, write);
        grown.put(id, after);
        return committed(id, after, write);
    }

    /** The row as it will be after this transaction so far; an update still to be made is not in the table yet. */
    private @Nullable SessionRow session(SessionId id) throws SQLException, DamagedRow {
        SessionRow known = grown.get(id);
        return known == null ? memory.session(id) : known;
    }

    private WriteOutcome begin(int index, SessionWrite write, SessionHeader header) throws SQLException {
        SessionId of = write.prefixOf();
        if (of == null) {
            return create(index, write, SessionRow.created(nextNumber(link), header, 0, 0));
        }
        try {
            SessionRow source = session(of);
            if (source == null) {
                return new WriteOutcome.NoSuchSession();
            }
            if (source.nextSeq() < write.expectedNextSeq()) {
                return new WriteOutcome.TailMoved(source.nextSeq());
            }
            Forking fork = Forking.of(link, source, write.expectedNextSeq(), nextNumber(link), header);
            fork.insert(link);
            return create(index, write, fork.session());
        } catch (DamagedRow e) {
            return new WriteOutcome.Damaged(e.fault());
        }
    }

    private WriteOutcome create(int index, SessionWrite write, SessionRow empty) throws SQLException {
        SessionRow after = insertEvents(index, empty, write);
        PreparedStatement insert = link.statement(INSERT_SESSION);
        after.bindInsert(insert);
        insert.executeUpdate();
        return committed(write.id(), after, write);
    }

    /** The number of the next session; none is given twice. */
    static long nextNumber(SqliteLink link) throws SQLException {
        try (ResultSet row = link.statement(NEXT_SESSION).executeQuery()) {
            row.next();
            long number = row.getLong(1);
            if (number < 1 || number > EventRow.MAX_SESSION) {
                throw new StoreUnavailableException(
                        Reason.CAPACITY,
                        "the next session would have number " + number + ", the last possible is "
                                + EventRow.MAX_SESSION
                                + "; open another store for new sessions, and verify this one if it holds fewer");
            }
            return number;
        }
    }

    private SessionRow insertEvents(int index, SessionRow before, SessionWrite write) throws SQLException {
        if (write.nextSeq() > EventRow.MAX_EVENTS) {
            throw new StoreUnavailableException(
                    Reason.CAPACITY,
                    "session " + write.id() + " would hold " + write.nextSeq() + " events, the most is "
                            + EventRow.MAX_EVENTS + "; go on in a fork");
        }
        List<EventRow> rows = RowPacker.rows(before.number(), write.events(), link.compression());
        insert(index, write.id(), new Repacking(link).removeLoose(before, write.events()));
        insert(index, write.id(), rows);
        return before.with(rows);
    }

    private void insert(int index, SessionId id, List<EventRow> rows) throws SQLException {
        PreparedStatement insert = link.statement(INSERT_EVENT);
        for (EventRow row : rows) {
            row.bind(insert);
            try {
                insert.executeUpdate();
            } catch (SQLException e) {
                if (SqliteErrors.isConstraint(e)) {
                    throw new WriteFailed(
                            index,
                            DamagedRow.event(id, row.seq(), "expected no row beyond the tail, found one")
                                    .fault(),
                            e);
                }
                throw e;
            }
        }
    }

    private WriteOutcome committed(SessionId id, SessionRow after, SessionWrite write) throws SQLException {
        long position = memory.nextPosition();
        PreparedStatement commit = link.statement(INSERT_COMMIT);
        new CommitRow(position, after.number(), write.expectedNextSeq(), write.nextSeq()).bind(commit);
        commit.executeUpdate();
        for (Map.Entry<String, KeyedAppend> key : write.keys().entrySet()) {
            PreparedStatement insert = link.statement(INSERT_KEY);
            KeyedAppend used = key.getValue();
            new KeyRow(after.number(), StoredText.encode(key.getKey()), used.firstSeq(), used.count()).bind(insert);
            insert.executeUpdate();
        }
        if (write.checkpoint() != null) {
            CheckpointRow.replace(link, after.number(), write.checkpoint());
        }
        memory.put(id, after);
        return new WriteOutcome.Committed(position);
    }
}
