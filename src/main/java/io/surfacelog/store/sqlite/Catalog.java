package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.KeyedAppend;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.StoredSession;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads everything but events: sessions, keys, commits, declared types. Each row is checked before it is believed. */
final class Catalog {

    private static final String SESSION = "SELECT " + SessionRow.COLUMNS + """

            FROM session
            WHERE id = ?
            """;

    private static final String SESSIONS = "SELECT " + SessionRow.COLUMNS + """

            FROM session
            WHERE number < ?1
              AND created_at >= ?2
              AND created_at < ?3
              AND (?4 IS NULL OR parent = ?4)
            ORDER BY number DESC
            """;

    private static final String KEY = """
            SELECT session, key, first_seq, n, checksum
            FROM idempotency_key
            WHERE session = ? AND key = ?
            """;

    private static final String SESSION_OF_NUMBER = "SELECT " + SessionRow.COLUMNS + """

            FROM session
            WHERE number = ?
            """;

    private static final String COMMITS = """
            SELECT position, session, from_seq, to_seq, checksum
            FROM commit_log
            WHERE position > ?
            ORDER BY position
            """;

    private static final String LAST_COMMIT = """
            SELECT position, session, from_seq, to_seq, checksum
            FROM commit_log
            ORDER BY position DESC
            LIMIT 1
            """;

    private static final String TYPES = """
            SELECT type, checksum
            FROM declared_type
            """;

    private static final String TYPE_TABLE = "declared_type";

    private Catalog() {}

    static Optional<SessionRow> session(SqliteLink link, SessionId id) throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(SESSION);
        find.setString(1, StoredText.encode(id.value()));
        try (ResultSet row = find.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            SessionRow session = SessionRow.read(row, 1);
            if (!session.sessionId().equals(id)) {
                throw DamagedRow.of(id, "session", "expected the index of ids to lead to it, found " + session.id());
            }
            return Optional.of(session);
        }
    }

    static SessionPage list(SqliteLink link, SessionFilter filter) throws SQLException {
        PreparedStatement find = link.statement(SESSIONS);
        find.setLong(1, filter.before());
        find.setLong(2, filter.createdFrom());
        find.setLong(3, filter.createdTo());
        if (filter.parentSession() == null) {
            find.setNull(4, Types.VARCHAR);
        } else {
            find.setString(4, StoredText.encode(filter.parentSession()));
        }
        List<StoredSession> page = new ArrayList<>();
        List<StoreFault> damaged = new ArrayList<>();
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                StoredSession session = readable(row, damaged);
                if (session == null || !contains(session, filter.idContains())) {
                    continue;
                }
                if (page.size() == filter.limit()) {
                    long last = page.get(page.size() - 1).ordinal();
                    return new SessionPage(page, damaged, OptionalLong.of(last));
                }
                page.add(session);
            }
        }
        return new SessionPage(page, damaged, OptionalLong.empty());
    }

    /** One damaged row must not hide the others. */
    private static @Nullable StoredSession readable(ResultSet row, List<StoreFault> damaged) throws SQLException {
        try {
            return SessionRow.read(row, 1).stored();
        } catch (DamagedRow e) {
            damaged.add(e.fault());
            return null;
        }
    }

    /** Compares the ids themselves: their stored forms may differ where they do not. */
    private static boolean contains(StoredSession session, @Nullable String part) {
        return part == null || session.id().value().contains(part);
    }

    static Optional<KeyedAppend> keyed(SqliteLink link, SessionRow session, String key)
            throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(KEY);
        find.setLong(1, session.number());
        String stored = StoredText.encode(key);
        find.setString(2, stored);
        try (ResultSet row = find.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            KeyRow read = KeyRow.read(row, session.sessionId());
            if (read.session() != session.number() || !read.key().equals(stored)) {
                throw DamagedRow.of(
                        session.sessionId(), KeyRow.TABLE, "expected key " + stored + ", found key " + read.key());
            }
            return Optional.of(read.keyed(session));
        }
    }

    static List<StoredCommit> commits(SqliteLink link, long after, int limit) throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(COMMITS);
        find.setLong(1, Math.max(after, 0));
        Map<Long, Optional<SessionId>> ids = new HashMap<>();
        List<StoredCommit> commits = new ArrayList<>();
        long expected = Math.max(after, 0);
        try (ResultSet row = find.executeQuery()) {
            while (commits.size() < limit && row.next()) {
                CommitRow commit = CommitRow.read(row);
                expected++;
                if (commit.position() != expected) {
                    throw DamagedRow.of(
                            null, CommitRow.TABLE, "expected position " + expected + ", found " + commit.position());
                }
                Optional<SessionId> id = ids.get(commit.session());
                if (id == null) {
                    id = idOfCommit(link, commit);
                    ids.put(commit.session(), id);
                }
                id.ifPresent(session ->
                        commits.add(new StoredCommit(commit.position(), session, commit.fromSeq(), commit.toSeq())));
            }
        }
        return commits;
    }

    /** The id of the session, empty if it was removed. */
    private static Optional<SessionId> idOfCommit(SqliteLink link, CommitRow commit) throws SQLException, DamagedRow {
        Optional<SessionRow> session = session(link, commit.session());
        if (session.isPresent()) {
            return Optional.of(session.get().sessionId());
        }
        if (AuditRow.isRemoved(link, commit.session())) {
            return Optional.empty();
        }
        throw DamagedRow.of(
                null,
                CommitRow.TABLE,
                "expected session number " + commit.session() + " of position " + commit.position()
                        + " to exist or to have been removed, found neither");
    }

    static Optional<SessionRow> session(SqliteLink link, long number) throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(SESSION_OF_NUMBER);
        find.setLong(1, number);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(SessionRow.read(row, 1)) : Optional.empty();
        }
    }

    static long lastPosition(SqliteLink link) throws SQLException, DamagedRow {
        try (ResultSet row = link.statement(LAST_COMMIT).executeQuery()) {
            return row.next() ? CommitRow.read(row).position() : 0;
        }
    }

    static Set<String> declaredTypes(SqliteLink link) throws SQLException, DamagedRow {
        Set<String> types = new TreeSet<>();
        try (ResultSet row = link.statement(TYPES).executeQuery()) {
            while (row.next()) {
                String type = String.valueOf(row.getString(1));
                DamagedRow.check(row.getLong(2), typeChecksum(type), null, TYPE_TABLE, "type " + type);
                types.add(StoredText.decode(type));
            }
        }
        long expected = MetaRow.read(link).declaredTypes();
        if (expected != types.size()) {
            throw DamagedRow.of(null, TYPE_TABLE, "expected " + expected + " types, found " + types.size());
        }
        return Collections.unmodifiableSet(types);
    }

    static long typeChecksum(String storedType) {
        return RowChecksum.of(TYPE_TABLE).text(storedType).value();
    }
}
