package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoredCommit;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * One row of table {@code commit_log}.
 *
 * @param session number of the session
 */
record CommitRow(long position, long session, long fromSeq, long toSeq) {

    static final String TABLE = "commit_log";

    /** The checksum of a row of another session is not looked at: it may be many times as many. */
    private static final String OF_SESSION = """
            SELECT position, session, from_seq, to_seq, checksum
            FROM commit_log
            WHERE position > ? AND session = ?
            ORDER BY position
            LIMIT ?
            """;

    static List<StoredCommit> ofSession(SqliteLink link, SessionRow session, long after, int limit)
            throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(OF_SESSION);
        find.setLong(1, after);
        find.setLong(2, session.number());
        find.setInt(3, limit);
        List<StoredCommit> commits = new ArrayList<>();
        long end = -1;
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                CommitRow commit = read(row);
                if (end >= 0 && commit.fromSeq != end) {
                    throw DamagedRow.of(
                            session.sessionId(),
                            TABLE,
                            "expected position " + commit.position + " to go on from event " + end + ", found "
                                    + commit.fromSeq);
                }
                end = commit.toSeq;
                commits.add(new StoredCommit(commit.position, session.sessionId(), commit.fromSeq, commit.toSeq));
            }
        }
        return commits;
    }

    void bind(PreparedStatement insert) throws SQLException {
        insert.setLong(1, position);
        insert.setLong(2, session);
        insert.setLong(3, fromSeq);
        insert.setLong(4, toSeq);
        insert.setLong(5, checksum());
    }

    private long checksum() {
        return RowChecksum.of(TABLE)
                .number(position)
                .number(session)
                .number(fromSeq)
                .number(toSeq)
                .value();
    }

    /** Reads the row the result stands on; its columns come first, in the order of the table. */
    static CommitRow read(ResultSet row) throws SQLException, DamagedRow {
        CommitRow read = new CommitRow(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
        DamagedRow.check(row.getLong(5), read.checksum(), null, TABLE, "position " + read.position);
        return read;
    }
}
