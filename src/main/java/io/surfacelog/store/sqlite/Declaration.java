package io.surfacelog.store.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;

/** Records declared types, inside a transaction that has begun. */
final class Declaration {

    private static final String INSERT_TYPE = """
            INSERT INTO declared_type (type, checksum)
            VALUES (?, ?)
            """;

    private Declaration() {}

    static void record(SqliteLink link, Set<String> types) throws SQLException, DamagedRow {
        Set<String> known = Catalog.declaredTypes(link);
        Set<String> missing = new TreeSet<>(types);
        missing.removeAll(known);
        if (missing.isEmpty()) {
            return;
        }
        PreparedStatement insert = link.statement(INSERT_TYPE);
        for (String type : missing) {
            String stored = StoredText.encode(type);
            insert.setString(1, stored);
            insert.setLong(2, Catalog.typeChecksum(stored));
            insert.executeUpdate();
        }
        PreparedStatement replace = link.statement(MetaRow.REPLACE);
        new MetaRow(MetaRow.read(link).storeId(), known.size() + missing.size()).bind(replace);
        replace.executeUpdate();
    }
}
