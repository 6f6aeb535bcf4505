package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a session's log: the events from one seq to another are rows of the owner, under the same seqs. A session that
 * is no fork is one such part, its own; a fork names those of its prefix in table {@code segment}, at whatever depth they
 * come from, and its own part follows them.
 *
 * @param from first seq, included
 * @param to last seq, excluded
 * @param owner number of the session whose rows they are
 */
record Segment(long from, long to, long owner) {

    static final String TABLE = "segment";

    private static final String FIND = """
            SELECT session, from_seq, to_seq, owner, checksum
            FROM segment
            WHERE session = ?
            ORDER BY from_seq
            """;

    private static final String INSERT = """
            INSERT INTO segment (session, from_seq, to_seq, owner, checksum)
            VALUES (?, ?, ?, ?, ?)
            """;

    /** All parts of the session in seq order, its own last, which may be empty. */
    static List<Segment> of(SqliteLink link, SessionRow session) throws SQLException, DamagedRow {
        Segment own = new Segment(session.firstSeq(), session.nextSeq(), session.number());
        if (session.firstSeq() == 0) {
            return List.of(own);
        }
        List<Segment> parts = inherited(link, session.number(), session.sessionId());
        long end = parts.isEmpty() ? 0 : parts.get(parts.size() - 1).to();
        if (end != session.firstSeq()) {
            throw DamagedRow.of(
                    session.sessionId(),
                    TABLE,
                    "expected segments up to event " + session.firstSeq() + ", found them up to " + end);
        }
        parts.add(own);
        return parts;
    }

    private static List<Segment> inherited(SqliteLink link, long session, SessionId id)
            throws SQLException, DamagedRow {
        List<Segment> parts = new ArrayList<>();
        PreparedStatement find = link.statement(FIND);
        find.setLong(1, session);
        try (ResultSet row = find.executeQuery()) {
            long expected = 0;
            while (row.next()) {
                Segment part = read(row, id);
                if (part.from() != expected || part.to() <= part.from() || row.getLong(1) != session) {
                    throw DamagedRow.of(id, TABLE, "expected a segment from event " + expected + ", found " + part);
                }
                parts.add(part);
                expected = part.to();
            }
        }
        return parts;
    }

    /** Reads the row the result stands on; its columns are those of the table, in their order. */
    static Segment read(ResultSet row, @Nullable SessionId session) throws SQLException, DamagedRow {
        Segment read = new Segment(row.getLong(2), row.getLong(3), row.getLong(4));
        DamagedRow.check(row.getLong(5), read.checksum(row.getLong(1)), session, TABLE, "a segment");
        return read;
    }

    /** Records these parts as the prefix of a new session. */
    static void insert(SqliteLink link, long session, List<Segment> parts) throws SQLException {
        PreparedStatement insert = link.statement(INSERT);
        for (Segment part : parts) {
            insert.setLong(1, session);
            insert.setLong(2, part.from);
            insert.setLong(3, part.to);
            insert.setLong(4, part.owner);
            insert.setLong(5, part.checksum(session));
            insert.executeUpdate();
        }
    }

    /** The parts that hold the events below this seq, the last one cut to it. */
    static List<Segment> before(List<Segment> parts, long seq) {
        List<Segment> prefix = new ArrayList<>();
        for (Segment part : parts) {
            if (part.from < Math.min(part.to, seq)) {
                prefix.add(new Segment(part.from, Math.min(part.to, seq), part.owner));
            }
        }
        return prefix;
    }

    private long checksum(long session) {
        return RowChecksum.of(TABLE)
                .number(session)
                .number(from)
                .number(to)
                .number(owner)
                .value();
    }
}
