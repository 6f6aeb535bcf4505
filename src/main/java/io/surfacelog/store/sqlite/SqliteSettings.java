package io.surfacelog.store.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * Where a SQLite store is and how it is opened. Immutable; every value is checked.
 *
 * <pre>{@code
 * SqliteSettings settings = SqliteSettings.at(Path.of("data/surfacelog.db")).synchronous(Synchronous.NORMAL);
 * }</pre>
 *
 * @param file the database file; it and its directories are created if need be
 * @param synchronous how durable a commit is
 * @param busyTimeout how long to wait for a lock that another process holds, from 0 to 10 minutes
 * @param readConnections how many reads may run at once, from 1 to 64
 * @param pageSize bytes of a page in a new database, a power of two from 512 to 65,536; an existing one keeps its own
 */
public record SqliteSettings(
        Path file, Synchronous synchronous, Duration busyTimeout, int readConnections, int pageSize) {

    /** Where the database is unless told: {@code data/surfacelog.db} below the working directory. */
    public static final Path DEFAULT_FILE = Path.of("data", "surfacelog.db");

    private static final Duration MAX_BUSY_TIMEOUT = Duration.ofMinutes(10);

    /** How durable a commit is when it is answered. */
    public enum Synchronous {
        /** It survives the loss of power: the log is synchronised with the disk at every commit. */
        FULL,
        /** It survives the death of the process; the newest commits may be lost with the power. Nothing is ever torn. */
        NORMAL
    }

    public SqliteSettings {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(synchronous, "synchronous");
        if (busyTimeout.isNegative() || busyTimeout.compareTo(MAX_BUSY_TIMEOUT) > 0) {
            throw new IllegalArgumentException("expected a busy timeout from 0 to 10 minutes, found " + busyTimeout);
        }
        if (readConnections < 1 || readConnections > 64) {
            throw new IllegalArgumentException("expected 1 to 64 read connections, found " + readConnections);
        }
        if (pageSize < 512 || pageSize > 65_536 || Integer.bitCount(pageSize) != 1) {
            throw new IllegalArgumentException(
                    "expected a page size that is a power of two from 512 to 65536, found " + pageSize);
        }
    }

    /** The default file and the default settings. */
    public static SqliteSettings defaults() {
        return at(DEFAULT_FILE);
    }

    /** This file with the default settings: FULL, 5 seconds, 4 read connections, pages of 4,096 bytes. */
    public static SqliteSettings at(Path file) {
        return new SqliteSettings(file, Synchronous.FULL, Duration.ofSeconds(5), 4, 4_096);
    }

    public SqliteSettings synchronous(Synchronous other) {
        return new SqliteSettings(file, other, busyTimeout, readConnections, pageSize);
    }

    public SqliteSettings busyTimeout(Duration other) {
        return new SqliteSettings(file, synchronous, other, readConnections, pageSize);
    }

    public SqliteSettings readConnections(int other) {
        return new SqliteSettings(file, synchronous, busyTimeout, other, pageSize);
    }

    public SqliteSettings pageSize(int other) {
        return new SqliteSettings(file, synchronous, busyTimeout, readConnections, other);
    }
}
