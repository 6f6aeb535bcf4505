package io.surfacelog.store.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The one row of table {@code store_meta}.
 *
 * @param storeId random id of the store
 * @param declaredTypes how many types are declared
 */
record MetaRow(String storeId, long declaredTypes) {

    static final String TABLE = "store_meta";

    static final String FIND = """
            SELECT id, store_id, declared_types, checksum
            FROM store_meta
            WHERE id = 1
            """;

    static final String REPLACE = """
            INSERT OR REPLACE INTO store_meta (id, store_id, declared_types, checksum)
            VALUES (?, ?, ?, ?)
            """;

    void bind(PreparedStatement insert) throws SQLException {
        insert.setLong(1, 1);
        insert.setString(2, storeId);
        insert.setLong(3, declaredTypes);
        insert.setLong(4, checksum());
    }

    private long checksum() {
        return RowChecksum.of(TABLE)
                .number(1)
                .text(storeId)
                .number(declaredTypes)
                .value();
    }

    static MetaRow read(SqliteLink link) throws SQLException, DamagedRow {
        try (ResultSet row = link.statement(FIND).executeQuery()) {
            String storeId = row.next() ? row.getString(2) : null;
            if (storeId == null) {
                throw DamagedRow.of(null, TABLE, "expected the row that names the store, found none");
            }
            MetaRow read = new MetaRow(storeId, row.getLong(3));
            DamagedRow.check(row.getLong(4), read.checksum(), null, TABLE, "row 1");
            return read;
        }
    }
}
