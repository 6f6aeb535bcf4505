package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoredCheckpoint;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of table {@code checkpoint}: at most one for each session. */
final class CheckpointRow {

    static final String TABLE = "checkpoint";

    private static final String FIND = """
            SELECT session, next_seq, state, checksum
            FROM checkpoint
            WHERE session = ?
            """;

    private static final String REPLACE = """
            INSERT OR REPLACE INTO checkpoint (session, next_seq, state, checksum)
            VALUES (?, ?, ?, ?)
            """;

    private static final String DELETE = """
            DELETE FROM checkpoint
            WHERE session = ?
            """;

    private CheckpointRow() {}

    static void replace(SqliteLink link, long session, StoredCheckpoint checkpoint) throws SQLException {
        PreparedStatement replace = link.statement(REPLACE);
        replace.setLong(1, session);
        replace.setLong(2, checkpoint.nextSeq());
        replace.setBytes(3, checkpoint.state());
        replace.setLong(4, checksum(session, checkpoint));
        replace.executeUpdate();
    }

    /** Keeps it unless it stands for more than the session holds, or a newer one is kept that can be read. */
    static boolean save(SqliteLink link, SessionRow session, StoredCheckpoint checkpoint) throws SQLException {
        if (checkpoint.nextSeq() > session.nextSeq()) {
            return false;
        }
        try {
            Optional<StoredCheckpoint> kept = find(link, session.number(), session.sessionId());
            if (kept.isPresent()
                    && kept.get().nextSeq() > checkpoint.nextSeq()
                    && kept.get().nextSeq() <= session.nextSeq()) {
                return false;
            }
        } catch (DamagedRow replaced) {
            // by one that can be read
        }
        replace(link, session.number(), checkpoint);
        return true;
    }

    static void delete(SqliteLink link, long session) throws SQLException {
        PreparedStatement delete = link.statement(DELETE);
        delete.setLong(1, session);
        delete.executeUpdate();
    }

    static Optional<StoredCheckpoint> find(SqliteLink link, long session, @Nullable SessionId id)
            throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(FIND);
        find.setLong(1, session);
        try (ResultSet row = find.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            long number = row.getLong(1);
            long nextSeq = row.getLong(2);
            byte[] state = row.getBytes(3);
            if (state == null || nextSeq < 0 || number != session) {
                throw DamagedRow.of(id, TABLE, "expected a checkpoint of session number " + session + ", found none");
            }
            StoredCheckpoint read = new StoredCheckpoint(nextSeq, state);
            DamagedRow.check(row.getLong(4), checksum(number, read), id, TABLE, "the checkpoint");
            return Optional.of(read);
        }
    }

    private static long checksum(long session, StoredCheckpoint checkpoint) {
        return RowChecksum.of(TABLE)
                .number(session)
                .number(checkpoint.nextSeq())
                .utf8(checkpoint.state())
                .value();
    }
}
