package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredSession;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at everything that belongs to no single session: the file, the schema, the rows that name sessions, the commits,
 * and rows of sessions that do not exist. Takes memory for each session.
 */
final class SharedVerification {

    private static final String INTEGRITY = "PRAGMA integrity_check(100)";

    private static final String META_ROWS = "SELECT count(*) FROM store_meta";

    private static final String SESSIONS = "SELECT " + SessionRow.COLUMNS + """

            FROM session NOT INDEXED
            ORDER BY number
            """;

    private static final String LAST_NUMBER = """
            SELECT max(seq)
            FROM sqlite_sequence
            WHERE name = 'session'
            """;

    private static final String COMMITS = """
            SELECT position, session, from_seq, to_seq, checksum
            FROM commit_log
            ORDER BY position
            """;

    private static final String NEXT_EVENT = """
            SELECT key
            FROM event NOT INDEXED
            WHERE key >= ?
            ORDER BY key
            LIMIT 1
            """;

    private static final String NEXT_KEY = """
            SELECT session
            FROM idempotency_key
            WHERE session >= ?
            ORDER BY session
            LIMIT 1
            """;

    private static final String NEXT_LEASE = """
            SELECT session
            FROM lease
            WHERE session >= ?
            ORDER BY session
            LIMIT 1
            """;

    /** What the commits of one session have covered so far; {@code session} is null where its row cannot be read. */
    private static final class Coverage {

        private final @Nullable SessionRow session;
        private long commits;
        private long covered;

        Coverage(@Nullable SessionRow session) {
            this.session = session;
            this.covered = session == null ? 0 : session.firstSeq();
        }
    }

    private final SqliteLink link;
    private final Faults faults = new Faults();
    private final Map<Long, Coverage> sessions = new HashMap<>();
    private final RemainsVerification remains;
    private long lastGiven;

    SharedVerification(SqliteLink link) {
        this.link = link;
        this.remains = new RemainsVerification(link, faults);
    }

    List<StoreFault> run() throws SQLException {
        faults.check(null, "database", this::checkFile);
        faults.check(null, "schema", this::checkSchema);
        faults.check(null, MetaRow.TABLE, this::checkMeta);
        faults.check(null, "declared_type", () -> Catalog.declaredTypes(link));
        faults.check(null, Dictionary.TABLE, () -> Dictionary.read(link));
        faults.check(null, "session", this::checkSessions);
        remains.check(sessionsByNumber(), lastGiven);
        faults.check(null, CommitRow.TABLE, this::checkCommits);
        faults.check(null, "event", () -> checkOrphans("event", NEXT_EVENT, 32));
        faults.check(null, KeyRow.TABLE, () -> checkOrphans(KeyRow.TABLE, NEXT_KEY, 0));
        faults.check(null, LeaseRow.TABLE, () -> checkOrphans(LeaseRow.TABLE, NEXT_LEASE, 0));
        return faults.all();
    }

    private void checkFile() throws SQLException {
        try (ResultSet row = link.statement(INTEGRITY).executeQuery()) {
            while (row.next()) {
                String said = String.valueOf(row.getString(1));
                if (!said.equals("ok")) {
                    faults.add(null, "database", "SQLite says: " + said);
                }
            }
        }
    }

    private void checkSchema() throws SQLException {
        Optional<String> difference = SchemaShape.ofThisVersion().difference(SchemaShape.objects(link));
        difference.ifPresent(found -> faults.add(null, "schema", "found " + found));
    }

    private void checkMeta() throws SQLException, DamagedRow {
        MetaRow.read(link);
        String rows = link.first(META_ROWS);
        if (!"1".equals(rows)) {
            faults.add(null, MetaRow.TABLE, "expected one row, found " + rows);
        }
    }

    private void checkSessions() throws SQLException {
        long last = 0;
        try (ResultSet row = link.statement(SESSIONS).executeQuery()) {
            while (row.next()) {
                last = row.getLong(1);
                SessionRow session = null;
                try {
                    session = SessionRow.read(row, 1);
                    checkColumns(session);
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                }
                sessions.put(last, new Coverage(session));
                if (last < 1 || last > EventRow.MAX_SESSION) {
                    faults.add(
                            null, "session", "expected numbers from 1 to " + EventRow.MAX_SESSION + ", found " + last);
                }
            }
        }
        String given = link.first(LAST_NUMBER);
        lastGiven = given == null ? 0 : Long.parseLong(given);
        if (lastGiven < last || lastGiven > EventRow.MAX_SESSION) {
            faults.add(null, "sqlite_sequence", "expected session numbers up to " + last + ", found " + lastGiven);
        }
    }

    /** The row is null where it cannot be read. */
    private Map<Long, @Nullable SessionRow> sessionsByNumber() {
        Map<Long, @Nullable SessionRow> rows = new HashMap<>();
        sessions.forEach((number, coverage) -> rows.put(number, coverage.session));
        return rows;
    }

    private void checkColumns(SessionRow session) throws DamagedRow {
        StoredSession stored = session.stored();
        SessionRow fromHeader = SessionRow.created(session.number(), stored.header(), 0, 0);
        if (fromHeader.createdAt() != session.createdAt()
                || !String.valueOf(fromHeader.parent()).equals(String.valueOf(session.parent()))) {
            faults.add(stored.id(), "session", "expected the columns of its header, found others");
        }
    }

    private void checkCommits() throws SQLException {
        long expected = 1;
        try (ResultSet row = link.statement(COMMITS).executeQuery()) {
            while (row.next()) {
                long position = row.getLong(1);
                if (position != expected) {
                    faults.add(null, CommitRow.TABLE, "expected position " + expected + ", found position " + position);
                }
                expected = position + 1;
                try {
                    cover(CommitRow.read(row));
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                }
            }
        }
        sessions.values().forEach(this::checkCovered);
    }

    private void cover(CommitRow commit) {
        Coverage coverage = sessions.get(commit.session());
        if (coverage == null) {
            if (remains.isRemoved(commit.session())) {
                return;
            }
            faults.add(
                    null,
                    CommitRow.TABLE,
                    "expected session number " + commit.session() + " of position " + commit.position()
                            + " to exist, found none");
            return;
        }
        boolean nothing = commit.toSeq() == commit.fromSeq();
        if (commit.fromSeq() != coverage.covered
                || commit.toSeq() < commit.fromSeq()
                || (nothing && coverage.commits > 0)) {
            faults.add(
                    coverage.session == null ? null : coverage.session.sessionId(),
                    CommitRow.TABLE,
                    "expected position " + commit.position() + " to go on from event " + coverage.covered + ", found "
                            + commit.fromSeq() + " to " + commit.toSeq());
        }
        coverage.commits++;
        coverage.covered = commit.toSeq();
    }

    private void checkCovered(Coverage coverage) {
        SessionRow session = coverage.session;
        if (session != null && (coverage.commits == 0 || coverage.covered != session.nextSeq())) {
            faults.add(
                    session.sessionId(),
                    CommitRow.TABLE,
                    "expected commits up to event " + session.nextSeq() + ", found " + coverage.commits + " up to "
                            + coverage.covered);
        }
    }

    /** Jumps from session to session through a table that is ordered by them. */
    private void checkOrphans(String table, String nextRow, int shift) throws SQLException {
        PreparedStatement select = link.statement(nextRow);
        long from = Long.MIN_VALUE;
        while (true) {
            select.setLong(1, from);
            long key;
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return;
                }
                key = row.getLong(1);
            }
            if (key < from) {
                // a damaged tree can lead anywhere, also round in a circle
                faults.add(null, table, "expected keys from " + from + " on, found " + key);
                return;
            }
            long session = key >> shift;
            boolean kept = shift > 0 && remains.isKept(session);
            if (!sessions.containsKey(session) && !kept) {
                faults.add(null, table, "expected session number " + session + " of its rows to exist, found none");
            }
            if (session == Long.MAX_VALUE >> shift) {
                return;
            }
            from = session + 1 << shift;
        }
    }
}
