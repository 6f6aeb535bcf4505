package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The Zstandard dictionary of a store, kept in its one row of table {@code dictionary}, so that a store can be read
 * whatever dictionary a later version brings. It was made of sample text of our own and never of stored sessions, which
 * erasing could not reach there.
 */
final class Dictionary {

    static final String TABLE = "dictionary";

    private static final String RESOURCE = "/io/surfacelog/store/sqlite/dictionary.zstd";

    private static final String FIND = """
            SELECT content, checksum
            FROM dictionary
            WHERE id = 1
            """;

    private static final String REPLACE = """
            INSERT OR REPLACE INTO dictionary (id, content, checksum)
            VALUES (1, ?, ?)
            """;

    private Dictionary() {}

    /** The content that new stores get. */
    static byte[] ofThisVersion() {
        try (InputStream resource = Dictionary.class.getResourceAsStream(RESOURCE)) {
            if (resource != null) {
                return resource.readAllBytes();
            }
        } catch (IOException e) {
            throw new StoreUnavailableException(Reason.IO, "cannot read " + RESOURCE + " from the class path", e);
        }
        throw new StoreUnavailableException(
                Reason.IO, "expected " + RESOURCE + " on the class path beside Surfacelog's classes, found nothing");
    }

    static void write(SqliteLink link, byte[] content) throws SQLException {
        PreparedStatement replace = link.statement(REPLACE);
        replace.setBytes(1, content);
        replace.setLong(2, checksum(content));
        replace.executeUpdate();
    }

    /** The stored content, checked. */
    static byte[] read(SqliteLink link) throws SQLException, DamagedRow {
        try (ResultSet row = link.statement(FIND).executeQuery()) {
            byte[] content = row.next() ? row.getBytes(1) : null;
            if (content == null) {
                throw DamagedRow.of(null, TABLE, "expected the dictionary of the store, found none");
            }
            DamagedRow.check(row.getLong(2), checksum(content), null, TABLE, "row 1");
            return content;
        }
    }

    private static long checksum(byte[] content) {
        return RowChecksum.of(TABLE).number(1).utf8(content).value();
    }
}
