package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.ErasureIncompleteException;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.Reclaimed;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Gives free space back, and proves that nothing is left in it. First the database is written anew without its free pages,
 * then the write-ahead log is copied into it and cut to nothing, for which nobody may be reading an older state, then the
 * pages are read and searched.
 */
final class Erasing {

    /** How long to wait for readers at least, whatever the busy timeout. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long PAUSE_MILLIS = 20;
    private static final int SCANS = 8;

    private static final String TABLES = """
            SELECT name
            FROM sqlite_schema
            WHERE type = 'table'
            """;

    /** What a look at the file has found. */
    private record Scan(long bytes, long found, long elsewhere) {}

    private final SqliteDatabase database;
    private final Path file;
    private final Duration patience;

    /** What was removed and is not proven to be gone: its rows cannot be asked any more. Its monitor guards it. */
    private final Map<SessionId, Markers> unproven = new HashMap<>();

    Erasing(SqliteDatabase database, Path file, Duration busyTimeout) {
        this.database = database;
        this.file = file;
        this.patience = busyTimeout.compareTo(PATIENCE) > 0 ? busyTimeout : PATIENCE;
    }

    /** Erases for good what has just been removed. */
    synchronized ErasureProof prove(ErasureTransaction.Removed removed) {
        SessionId id = removed.sessions().get(0);
        Markers markers = unproven.computeIfAbsent(id, key -> new Markers());
        markers.addAll(removed.markers());
        try {
            compact();
            Scan scan = scan(markers);
            if (scan == null) {
                throw blocked(removed.sessions());
            }
            if (scan.found() > 0) {
                throw new ErasureIncompleteException(
                        removed.sessions(), scan.found() + " of their texts were found in " + file);
            }
            unproven.remove(id);
            return new ErasureProof(
                    removed.sessions(),
                    removed.events(),
                    removed.rows(),
                    removed.inherited(),
                    markers.size(),
                    List.of(file.toString()),
                    scan.bytes(),
                    scan.elsewhere(),
                    scan.found());
        } catch (StoreUnavailableException e) {
            ErasureIncompleteException incomplete =
                    new ErasureIncompleteException(removed.sessions(), String.valueOf(e.getMessage()));
            incomplete.initCause(e);
            throw incomplete;
        }
    }

    private ErasureIncompleteException blocked(List<SessionId> sessions) {
        return new ErasureIncompleteException(
                sessions,
                "for " + patience.toMillis() + " ms somebody, most likely another process, was reading or writing "
                        + file
                        + " all the time, so that its write-ahead log " + wal()
                        + " could not be cut: end long reads of this database");
    }

    synchronized Reclaimed reclaim() {
        long before = bytes();
        compact();
        if (!truncate()) {
            throw new StoreUnavailableException(
                    Reason.LOCKED,
                    "for " + patience.toMillis() + " ms somebody, most likely another process, was reading or writing "
                            + file + " all the time; its free space is given back when they are done: try it again");
        }
        return new Reclaimed(before, bytes());
    }

    private void compact() {
        database.maintain("compacting", link -> {
            link.run("VACUUM");
            return 0;
        });
    }

    /** Cuts the write-ahead log to nothing, as soon as nobody reads from it; returns whether that came to pass. */
    private boolean truncate() {
        long until = System.nanoTime() + patience.toNanos();
        while (true) {
            if (database.truncateLog()) {
                return true;
            }
            if (System.nanoTime() - until > 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        }
    }

    /** Looks for the markers while nobody writes and nothing is in the write-ahead log; null if it never came to that. */
    private @Nullable Scan scan(Markers markers) {
        for (int i = 0; i < SCANS && truncate(); i++) {
            Optional<Scan> scan = database.write(
                    "searching what is left", link -> atRest() ? Optional.of(scan(link, markers)) : Optional.empty());
            if (scan.isPresent()) {
                return scan.get();
            }
        }
        return null;
    }

    private boolean atRest() {
        return size(wal()) == 0;
    }

    private Scan scan(SqliteLink link, Markers markers) throws SQLException, DamagedRow {
        // opening and closing the file itself would end the locks that this process holds on it
        Path pages = file.resolveSibling(
                file.getFileName() + ".scan-" + ProcessHandle.current().pid());
        try {
            database.copyPages(pages);
            BitSet found = markers.find(pages);
            BitSet elsewhere = found.isEmpty() ? found : elsewhere(link, markers);
            elsewhere.and(found);
            int all = found.cardinality();
            found.andNot(elsewhere);
            return new Scan(size(pages), found.cardinality(), all - found.cardinality());
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    Reason.IO, "the pages of " + file + " could not be searched: " + SqliteErrors.reason(e), e);
        } finally {
            delete(pages);
        }
    }

    /**
     * What other rows hold is theirs, wherever in the pages copies of it stand: which of the markers are that. After the
     * database was written anew, its pages hold nothing but what was in its rows.
     */
    private static BitSet elsewhere(SqliteLink link, Markers markers) throws SQLException {
        List<String> tables = new ArrayList<>(List.of("sqlite_schema"));
        try (ResultSet row = link.statement(TABLES).executeQuery()) {
            while (row.next()) {
                tables.add(row.getString(1));
            }
        }
        BitSet found = new BitSet();
        for (String table : tables) {
            try (PreparedStatement select = link.connection().prepareStatement("SELECT * FROM \"" + table + "\"");
                    ResultSet row = select.executeQuery()) {
                int columns = row.getMetaData().getColumnCount();
                while (row.next()) {
                    for (int column = 1; column <= columns; column++) {
                        byte[] value = row.getBytes(column);
                        if (value != null) {
                            markers.find(value, found);
                        }
                    }
                }
            }
        }
        return found;
    }

    private Path wal() {
        return file.resolveSibling(file.getFileName() + "-wal");
    }

    private long bytes() {
        return size(file) + size(wal());
    }

    private static long size(Path path) {
        try {
            return Files.exists(path) ? Files.size(path) : 0;
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    Reason.IO, "the size of " + path + " cannot be read: " + SqliteErrors.reason(e), e);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    Reason.IO, "delete " + path + ", a copy of the database: " + SqliteErrors.reason(e), e);
        }
    }
}
