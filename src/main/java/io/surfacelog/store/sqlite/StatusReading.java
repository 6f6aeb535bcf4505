package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoreStatus;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.StoredLease;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/** Looks how the store is: at its schema and its counts through a read connection, at its place in the file system. */
final class StatusReading {

    private static final String SESSIONS = "SELECT count(*) FROM session";

    private static final String LIVE_LEASES = """
            SELECT count(*)
            FROM lease
            WHERE owner IS NOT NULL
              AND expires_at > ?1
              AND renewed_at <= ?2
            """;

    private final SqliteDatabase database;
    private final Path file;
    private final SchemaGuard guard;

    StatusReading(SqliteDatabase database, Path file, SchemaGuard guard) {
        this.database = database;
        this.file = file;
        this.guard = guard;
    }

    StoreStatus read(long now) {
        StoreStatus counts = database.read("looking at it", null, link -> {
            database.expectInPlace();
            guard.inspect(link);
            return new StoreStatus(
                    count(link.statement(SESSIONS)),
                    leases(link, now),
                    Catalog.lastPosition(link),
                    OptionalLong.empty());
        });
        return new StoreStatus(
                counts.sessions(), counts.liveLeases(), counts.lastPosition(), OptionalLong.of(usableBytes()));
    }

    private static long leases(SqliteLink link, long now) throws SQLException {
        PreparedStatement leases = link.statement(LIVE_LEASES);
        leases.setLong(1, now);
        leases.setLong(2, now + StoredLease.CLOCK_TOLERANCE.toMillis());
        return count(leases);
    }

    private static long count(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private long usableBytes() {
        try {
            FileStore disk = Files.getFileStore(file);
            if (disk.isReadOnly() || !Files.isWritable(file)) {
                throw new StoreUnavailableException(
                        Reason.READ_ONLY,
                        "expected " + file
                                + " to be writable, found it read-only; make it writable, or name another file");
            }
            return disk.getUsableSpace();
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    Reason.IO, "cannot look at " + file + ": " + SqliteErrors.reason(e) + "; check the file system", e);
        }
    }
}
