package io.surfacelog.store.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * One row of table {@code kept_prefix}: what is left of a deleted session because forks need it.
 *
 * @param number the number of the session
 * @param idHash what {@link IdHash} gives for its id
 * @param to seq behind the last event that is kept
 */
record KeptPrefix(long number, String idHash, long to) {

    static final String TABLE = "kept_prefix";

    static final String COLUMNS = "number, id_hash, to_seq, checksum";

    private static final String FIND = "SELECT " + COLUMNS + " FROM kept_prefix WHERE number = ?";

    private static final String REPLACE = "INSERT OR REPLACE INTO kept_prefix (" + COLUMNS + ") VALUES (?, ?, ?, ?)";

    private static final String DELETE = "DELETE FROM kept_prefix WHERE number = ?";

    static Optional<KeptPrefix> find(SqliteLink link, long number) throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(FIND);
        find.setLong(1, number);
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(read(row)) : Optional.empty();
        }
    }

    /** Reads the row the result stands on; its columns are {@link #COLUMNS}. */
    static KeptPrefix read(ResultSet row) throws SQLException, DamagedRow {
        KeptPrefix read = new KeptPrefix(row.getLong(1), String.valueOf(row.getString(2)), row.getLong(3));
        DamagedRow.check(row.getLong(4), read.checksum(), null, TABLE, "number " + read.number);
        return read;
    }

    /** Records it in the place of what was recorded for the session before. */
    void replace(SqliteLink link) throws SQLException {
        PreparedStatement replace = link.statement(REPLACE);
        replace.setLong(1, number);
        replace.setString(2, idHash);
        replace.setLong(3, to);
        replace.setLong(4, checksum());
        replace.executeUpdate();
    }

    static void delete(SqliteLink link, long number) throws SQLException {
        PreparedStatement delete = link.statement(DELETE);
        delete.setLong(1, number);
        delete.executeUpdate();
    }

    private long checksum() {
        return RowChecksum.of(TABLE).number(number).text(idHash).number(to).value();
    }
}
