package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.KeyedAppend;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One row of table {@code idempotency_key}.
 *
 * @param session number of the session
 * @param key stored form of the key
 */
record KeyRow(long session, String key, long firstSeq, long n) {

    static final String TABLE = "idempotency_key";

    void bind(PreparedStatement insert) throws SQLException {
        insert.setLong(1, session);
        insert.setString(2, key);
        insert.setLong(3, firstSeq);
        insert.setLong(4, n);
        insert.setLong(5, checksum());
    }

    private long checksum() {
        return RowChecksum.of(TABLE)
                .number(session)
                .text(key)
                .number(firstSeq)
                .number(n)
                .value();
    }

    /** Reads the row the result stands on; its columns are those of the table, in their order. */
    static KeyRow read(ResultSet row, @Nullable SessionId session) throws SQLException, DamagedRow {
        String key = row.getString(2);
        if (key == null) {
            throw DamagedRow.of(session, TABLE, "expected a key, found NULL");
        }
        KeyRow read = new KeyRow(row.getLong(1), key, row.getLong(3), row.getLong(4));
        DamagedRow.check(row.getLong(5), read.checksum(), session, TABLE, "key " + key);
        return read;
    }

    /**
     * What the key was used for.
     *
     * @throws DamagedRow if it was used for events that are not there
     */
    KeyedAppend keyed(SessionRow owner) throws DamagedRow {
        if (firstSeq < 0 || n < 1 || firstSeq + n > owner.nextSeq()) {
            throw DamagedRow.of(
                    owner.sessionId(),
                    TABLE,
                    "expected key " + key + " to stand for events below " + owner.nextSeq() + ", found " + n + " from "
                            + firstSeq);
        }
        return new KeyedAppend(firstSeq, n);
    }
}
