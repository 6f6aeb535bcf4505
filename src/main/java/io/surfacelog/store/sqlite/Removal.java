package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.SessionRemoval;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes sessions out of all tables, inside a transaction, and leaves what others still need of them. A segment names the
 * session whose rows it means, at whatever depth, so what is kept of one is found by a look at the segments alone.
 */
final class Removal {

    private static final String OWNERS = "SELECT DISTINCT owner FROM segment WHERE session = ?";

    private static final String OF_OWNER = """
            SELECT session, from_seq, to_seq, owner, checksum
            FROM segment
            WHERE owner = ?
            ORDER BY session
            """;

    private static final String LAST_ROW_BEFORE = "SELECT " + EventRow.COLUMNS + """

            FROM event
            WHERE key >= ? AND key < ?
            ORDER BY key DESC
            LIMIT 1
            """;

    private static final String DELETE_EVENTS = "DELETE FROM event WHERE key >= ? AND key < ?";

    /** Rows of all that belongs to one session, and its own row last. */
    private static final List<String> DELETES = List.of(
            "DELETE FROM segment WHERE session = ?",
            "DELETE FROM idempotency_key WHERE session = ?",
            "DELETE FROM checkpoint WHERE session = ?",
            "DELETE FROM lease WHERE session = ?",
            "DELETE FROM subscription WHERE session = ?",
            "DELETE FROM session WHERE number = ?");

    private final SqliteLink link;
    private final WriterMemory memory;
    private final String storeId;
    private final long now;
    private long rows;

    /** In a transaction that has begun, with a memory that knows. */
    Removal(SqliteLink link, WriterMemory memory, String storeId, long now) {
        this.link = link;
        this.memory = memory;
        this.storeId = storeId;
        this.now = now;
    }

    /** How many rows are gone. */
    long rows() {
        return rows;
    }

    SessionRemoval remove(SessionRow session, String what) throws SQLException, DamagedRow {
        long number = session.number();
        SessionId id = session.sessionId();
        String idHash = IdHash.of(storeId, id);
        List<Long> owners = numbers(OWNERS, number);
        List<SessionId> neededBy = new ArrayList<>();
        for (long child : needing(number)) {
            Optional<SessionRow> row = Catalog.session(link, child);
            if (row.isPresent()) {
                neededBy.add(row.get().sessionId());
            }
        }
        for (String sql : DELETES) {
            PreparedStatement delete = link.statement(sql);
            delete.setLong(1, number);
            rows += delete.executeUpdate();
        }
        long kept = keepWhatIsNeeded(number, idHash);
        for (long owner : owners) {
            Optional<KeptPrefix> deleted = KeptPrefix.find(link, owner);
            if (deleted.isPresent()) {
                keepWhatIsNeeded(owner, deleted.get().idHash());
            }
        }
        AuditRow.insert(link, what, number, idHash, now, session.nextSeq() - session.firstSeq());
        memory.forget(id);
        return new SessionRemoval(
                id, session.nextSeq() - session.firstSeq(), Math.max(0, kept - session.firstSeq()), neededBy);
    }

    /** The sessions that hold events of this one, each once, oldest first. */
    List<Long> needing(long owner) throws SQLException, DamagedRow {
        List<Long> sessions = new ArrayList<>();
        PreparedStatement find = link.statement(OF_OWNER);
        find.setLong(1, owner);
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                Segment.read(row, null);
                long session = row.getLong(1);
                if (sessions.isEmpty() || sessions.get(sessions.size() - 1) != session) {
                    sessions.add(session);
                }
            }
        }
        return sessions;
    }

    /** Of a session that is gone; returns behind which event nothing is needed, 0 for nothing at all. */
    private long keepWhatIsNeeded(long owner, String idHash) throws SQLException, DamagedRow {
        long needed = 0;
        PreparedStatement find = link.statement(OF_OWNER);
        find.setLong(1, owner);
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                needed = Math.max(needed, Segment.read(row, null).to());
            }
        }
        List<EventRow> cut = needed == 0 ? List.of() : cut(owner, needed);
        long from = cut.isEmpty() ? needed : cut.get(0).seq();
        PreparedStatement delete = link.statement(DELETE_EVENTS);
        delete.setLong(1, EventRow.key(owner, from));
        delete.setLong(2, EventRow.key(owner, EventRow.MAX_EVENTS));
        rows += delete.executeUpdate();
        PreparedStatement insert = link.statement(CommitTransaction.INSERT_EVENT);
        for (EventRow row : cut) {
            row.bind(insert);
            insert.executeUpdate();
        }
        if (needed == 0) {
            KeptPrefix.delete(link, owner);
        } else {
            new KeptPrefix(owner, idHash, needed).replace(link);
        }
        return needed;
    }

    /** What has to stand in the place of a packed row that goes on beyond this seq; nothing if there is no such row. */
    private List<EventRow> cut(long owner, long to) throws SQLException, DamagedRow {
        PreparedStatement select = link.statement(LAST_ROW_BEFORE);
        select.setLong(1, EventRow.key(owner, 0));
        select.setLong(2, EventRow.key(owner, to));
        try (ResultSet row = select.executeQuery()) {
            if (!row.next() || EventRow.seqOf(row.getLong(1)) + row.getLong(2) <= to) {
                return List.of();
            }
            EventRow read = EventRow.read(row, null);
            List<SessionEvent> before = read.events(SessionId.of("number " + owner), link.compression()).stream()
                    .filter(event -> event.seq() < to)
                    .toList();
            return RowPacker.rows(owner, before, link.compression());
        }
    }

    private List<Long> numbers(String sql, long of) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        PreparedStatement find = link.statement(sql);
        find.setLong(1, of);
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                numbers.add(row.getLong(1));
            }
        }
        return numbers;
    }
}
