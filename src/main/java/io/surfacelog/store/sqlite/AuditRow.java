package io.surfacelog.store.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One row of table {@code audit}: that a session was removed.
 *
 * @param entry its place, from 1
 * @param what {@code delete} or {@code erase}
 * @param number the number of the session, which its commits still name
 * @param idHash what {@link IdHash} gives for its id
 * @param time when, Unix epoch milliseconds
 * @param events how many events of its own it held
 */
record AuditRow(long entry, String what, long number, String idHash, long time, long events) {

    static final String TABLE = "audit";

    static final String COLUMNS = "entry, what, number, id_hash, time, events, checksum";

    private static final String INSERT = "INSERT INTO audit (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?)";

    private static final String NEXT = "SELECT coalesce(max(entry), 0) + 1 FROM audit";

    static final String DELETE = "delete";

    static final String ERASE = "erase";

    private static final String OF_HASH = "SELECT " + COLUMNS + " FROM audit WHERE id_hash = ? ORDER BY entry";

    private static final String ERASED =
            "SELECT " + COLUMNS + " FROM audit WHERE id_hash = ? AND what = 'erase' ORDER BY entry";

    private static final String OF_NUMBER = "SELECT " + COLUMNS + " FROM audit WHERE number = ?";

    /** Adds a row behind the others. */
    static void insert(SqliteLink link, String what, long number, String idHash, long time, long events)
            throws SQLException {
        long entry;
        try (ResultSet row = link.statement(NEXT).executeQuery()) {
            row.next();
            entry = row.getLong(1);
        }
        AuditRow added = new AuditRow(entry, what, number, idHash, time, events);
        PreparedStatement insert = link.statement(INSERT);
        insert.setLong(1, entry);
        insert.setString(2, what);
        insert.setLong(3, number);
        insert.setString(4, idHash);
        insert.setLong(5, time);
        insert.setLong(6, events);
        insert.setLong(7, added.checksum());
        insert.executeUpdate();
    }

    /** The numbers of the removed sessions that had this id. Cost: O(removals). */
    static Set<Long> numbers(SqliteLink link, String idHash) throws SQLException, DamagedRow {
        return numbers(link, OF_HASH, idHash);
    }

    /** The same of those that were erased. Cost: O(removals). */
    static Set<Long> erased(SqliteLink link, String idHash) throws SQLException, DamagedRow {
        return numbers(link, ERASED, idHash);
    }

    private static Set<Long> numbers(SqliteLink link, String sql, String idHash) throws SQLException, DamagedRow {
        Set<Long> numbers = new LinkedHashSet<>();
        PreparedStatement find = link.statement(sql);
        find.setString(1, idHash);
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                numbers.add(read(row).number);
            }
        }
        return numbers;
    }

    /** Whether a session of this number was removed. Cost: O(removals). */
    static boolean isRemoved(SqliteLink link, long number) throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(OF_NUMBER);
        find.setLong(1, number);
        try (ResultSet row = find.executeQuery()) {
            return row.next() && read(row).number == number;
        }
    }

    /** Reads the row the result stands on; its columns are {@link #COLUMNS}. */
    static AuditRow read(ResultSet row) throws SQLException, DamagedRow {
        AuditRow read = new AuditRow(
                row.getLong(1),
                String.valueOf(row.getString(2)),
                row.getLong(3),
                String.valueOf(row.getString(4)),
                row.getLong(5),
                row.getLong(6));
        DamagedRow.check(row.getLong(7), read.checksum(), null, TABLE, "entry " + read.entry);
        return read;
    }

    private long checksum() {
        return RowChecksum.of(TABLE)
                .number(entry)
                .text(what)
                .number(number)
                .text(idHash)
                .number(time)
                .number(events)
                .value();
    }
}
