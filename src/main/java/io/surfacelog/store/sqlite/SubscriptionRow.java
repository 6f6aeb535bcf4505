package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoredSubscription;
import io.surfacelog.store.SubscriptionRequest;
import io.surfacelog.store.UnknownSessionException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Rows of table {@code subscription}: one for each durable subscription. */
final class SubscriptionRow {

    static final String TABLE = "subscription";

    static final String COLUMNS = "name, session, position, seq, token, renewed_at, held_until, checksum";

    private static final String FIND = "SELECT " + COLUMNS + """

            FROM subscription
            WHERE name = ?
            """;

    private static final String REPLACE =
            "INSERT OR REPLACE INTO subscription (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String DELETE = """
            DELETE FROM subscription
            WHERE name = ?
            """;

    private SubscriptionRow() {}

    static Optional<StoredSubscription> take(SqliteLink link, SubscriptionRequest request)
            throws SQLException, DamagedRow {
        SessionId session = request.session();
        long ordinal = session == null
                ? 0
                : Catalog.session(link, session)
                        .orElseThrow(() -> new UnknownSessionException(session))
                        .number();
        Optional<StoredSubscription> taken =
                request.decide(find(link, request.name()).orElse(null), ordinal);
        if (taken.isPresent()) {
            replace(link, taken.get());
        }
        return taken;
    }

    static boolean move(SqliteLink link, StoredSubscription moved) throws SQLException, DamagedRow {
        Optional<StoredSubscription> stored = find(link, moved.name());
        if (stored.isEmpty()
                || stored.get().token() != moved.token()
                || stored.get().session() != moved.session()) {
            return false;
        }
        replace(link, moved);
        return true;
    }

    static boolean drop(SqliteLink link, String name) throws SQLException {
        PreparedStatement delete = link.statement(DELETE);
        delete.setString(1, name);
        return delete.executeUpdate() > 0;
    }

    static Optional<StoredSubscription> find(SqliteLink link, String name) throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(FIND);
        find.setString(1, name);
        try (ResultSet row = find.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            StoredSubscription read = read(row);
            if (!read.name().equals(name)) {
                throw DamagedRow.of(null, TABLE, "expected subscription " + name + ", found " + read.name());
            }
            return Optional.of(read);
        }
    }

    /** Reads the row the result stands on; its columns are {@link #COLUMNS}. */
    static StoredSubscription read(ResultSet row) throws SQLException, DamagedRow {
        String name = String.valueOf(row.getString(1));
        long session = row.getLong(2);
        long position = row.getLong(3);
        long seq = row.getLong(4);
        long token = row.getLong(5);
        long renewedAt = row.getLong(6);
        long heldUntil = row.getLong(7);
        long computed = checksum(name, session, position, seq, token, renewedAt, heldUntil);
        DamagedRow.check(row.getLong(8), computed, null, TABLE, "the subscription " + name);
        try {
            return new StoredSubscription(name, session, position, seq, token, renewedAt, heldUntil);
        } catch (IllegalArgumentException e) {
            throw DamagedRow.of(null, TABLE, "expected a subscription, found what is none: " + e.getMessage());
        }
    }

    private static void replace(SqliteLink link, StoredSubscription row) throws SQLException {
        PreparedStatement replace = link.statement(REPLACE);
        replace.setString(1, row.name());
        replace.setLong(2, row.session());
        replace.setLong(3, row.position());
        replace.setLong(4, row.seq());
        replace.setLong(5, row.token());
        replace.setLong(6, row.renewedAt());
        replace.setLong(7, row.heldUntil());
        replace.setLong(
                8,
                checksum(
                        row.name(),
                        row.session(),
                        row.position(),
                        row.seq(),
                        row.token(),
                        row.renewedAt(),
                        row.heldUntil()));
        replace.executeUpdate();
    }

    private static long checksum(
            String name, long session, long position, long seq, long token, long renewedAt, long heldUntil) {
        return RowChecksum.of(TABLE)
                .text(name)
                .number(session)
                .number(position)
                .number(seq)
                .number(token)
                .number(renewedAt)
                .number(heldUntil)
                .value();
    }
}
