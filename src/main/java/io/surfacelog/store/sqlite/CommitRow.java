package io.surfacelog.store.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * One row of table {@code commit_log}.
 *
 * @param session number of the session
 */
record CommitRow(long position, long session, long fromSeq, long toSeq) {

    static final String TABLE = "commit_log";

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
