package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.LeaseHolder;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.StoredLease;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of table {@code lease}: at most one for each session and purpose. Texts are in their stored form.
 *
 * @param session number of the session
 */
record LeaseRow(
        long session,
        String purpose,
        long token,
        @Nullable String owner,
        @Nullable String host,
        @Nullable String process,
        long renewedAt,
        long expiresAt) {

    static final String TABLE = "lease";

    static final String COLUMNS = "session, purpose, token, owner, host, process, renewed_at, expires_at, checksum";

    private static final String FIND = "SELECT " + COLUMNS + """

            FROM lease
            WHERE session = ? AND purpose = ?
            """;

    private static final String REPLACE =
            "INSERT OR REPLACE INTO lease (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

    static void replace(SqliteLink link, long session, StoredLease lease) throws SQLException {
        LeaseHolder holder = lease.holder();
        LeaseRow row = new LeaseRow(
                session,
                purpose(lease.purpose()),
                lease.token(),
                holder == null ? null : StoredText.encode(holder.owner()),
                holder == null ? null : encode(holder.host()),
                holder == null ? null : encode(holder.process()),
                lease.renewedAt(),
                lease.expiresAt());
        PreparedStatement replace = link.statement(REPLACE);
        replace.setLong(1, row.session);
        replace.setString(2, row.purpose);
        replace.setLong(3, row.token);
        replace.setString(4, row.owner);
        replace.setString(5, row.host);
        replace.setString(6, row.process);
        replace.setLong(7, row.renewedAt);
        replace.setLong(8, row.expiresAt);
        replace.setLong(9, row.checksum());
        replace.executeUpdate();
    }

    static Optional<StoredLease> find(SqliteLink link, SessionRow session, LeasePurpose purpose)
            throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(FIND);
        find.setLong(1, session.number());
        find.setString(2, purpose(purpose));
        try (ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(read(row, session.number(), session.sessionId())) : Optional.empty();
        }
    }

    /**
     * Reads the row the result stands on; its columns are {@link #COLUMNS}.
     *
     * @param number the number of the session it is to be of
     */
    static StoredLease read(ResultSet row, long number, SessionId id) throws SQLException, DamagedRow {
        LeaseRow read = new LeaseRow(
                row.getLong(1),
                String.valueOf(row.getString(2)),
                row.getLong(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getLong(7),
                row.getLong(8));
        DamagedRow.check(row.getLong(9), read.checksum(), id, TABLE, "the lease " + read.purpose);
        if (read.session != number) {
            throw DamagedRow.of(
                    id, TABLE, "expected a lease of session number " + number + ", found one of " + read.session);
        }
        try {
            return read.lease(id);
        } catch (RuntimeException e) {
            throw DamagedRow.of(id, TABLE, "expected a lease, found what is none: " + e.getMessage());
        }
    }

    private StoredLease lease(SessionId id) {
        LeaseHolder holder = owner == null
                ? null
                : new LeaseHolder(
                        StoredText.decode(owner),
                        host == null ? null : StoredText.decode(host),
                        process == null ? null : StoredText.decode(process));
        return new StoredLease(
                id, LeasePurpose.valueOf(purpose.toUpperCase(Locale.ROOT)), token, holder, renewedAt, expiresAt);
    }

    private static String purpose(LeasePurpose purpose) {
        return purpose.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable String encode(@Nullable String text) {
        return text == null ? null : StoredText.encode(text);
    }

    private long checksum() {
        return RowChecksum.of(TABLE)
                .number(session)
                .text(purpose)
                .number(token)
                .text(owner)
                .text(host)
                .text(process)
                .number(renewedAt)
                .number(expiresAt)
                .value();
    }
}
