package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The open database: one connection that writes, a few that read, and the rules of their transactions. Safe for use by
 * any number of threads.
 */
final class SqliteDatabase implements AutoCloseable {

    /** How long a read may wait for one of the read connections, which are never held for long. */
    private static final long READ_WAIT_MILLIS = 60_000;

    /** Above this a log that has been copied into the database is cut back to it. */
    private static final long KEPT_WAL_BYTES = 64L << 20;

    /** How long to wait for others with everybody in this process waiting. */
    private static final long TRUNCATE_WAIT_MILLIS = 50;

    private final Path file;
    private final SqliteErrors errors;
    private final OpenFiles files;
    private final LinkPool writer;
    private final LinkPool readers;

    /** One write at a time, in the order they came. */
    private final Lock writing = new ReentrantLock(true);

    /** Held shared by everything that uses a connection, so that closing waits for it. */
    private final ReentrantReadWriteLock inUse = new ReentrantReadWriteLock();

    private boolean closed;

    private SqliteDatabase(Path file, SqliteErrors errors, OpenFiles files, LinkPool writer, LinkPool readers) {
        this.file = file;
        this.errors = errors;
        this.files = files;
        this.writer = writer;
        this.readers = readers;
    }

    /** Opens a database that {@link SchemaGuard} has found to be ours. */
    static SqliteDatabase open(
            Path file, SqliteSettings settings, SqliteUrl url, SqliteErrors errors, UnaryOperator<Connection> wiring) {
        long busy = settings.busyTimeout().toMillis();
        OpenFiles files = new OpenFiles(file);
        LinkPool writer = null;
        LinkPool readers = null;
        try {
            writer = new LinkPool("surfacelog-write", url.writing(settings), 1, READ_WAIT_MILLIS, wiring, link -> {
                setUpWriter(link, settings);
                files.writerOpened();
            });
            writer.lend(link -> 0);
            readers = new LinkPool(
                    "surfacelog-read", url.reading(), settings.readConnections(), READ_WAIT_MILLIS, wiring, link -> {
                        link.run("PRAGMA query_only = 1");
                        link.expectPragma("query_only", 1);
                        setUp(link, busy);
                        files.expectDatabaseInPlace();
                    });
            readers.lend(link -> 0);
            return new SqliteDatabase(file, errors, files, writer, readers);
        } catch (SQLException | DamagedRow | RuntimeException e) {
            if (readers != null) {
                readers.close();
            }
            if (writer != null) {
                writer.close();
            }
            if (e instanceof DamagedRow damaged) {
                throw new DamagedStoreException(damaged.fault());
            }
            throw e instanceof StoreUnavailableException known ? known : errors.translate(e, "opening it", null);
        }
    }

    private static void setUpWriter(SqliteLink link, SqliteSettings settings) throws SQLException, DamagedRow {
        boolean full = settings.synchronous() == SqliteSettings.Synchronous.FULL;
        // only macOS looks at these two: there an ordinary sync stops at the cache of the drive
        link.run("PRAGMA fullfsync = " + (full ? 1 : 0));
        link.run("PRAGMA checkpoint_fullfsync = " + (full ? 1 : 0));
        link.run("PRAGMA journal_size_limit = " + KEPT_WAL_BYTES);
        link.expectPragma("synchronous", full ? 2 : 1);
        link.expectPragma("foreign_keys", 1);
        link.expectPragma("fullfsync", full ? 1 : 0);
        link.expectPragma("journal_size_limit", KEPT_WAL_BYTES);
        setUp(link, settings.busyTimeout().toMillis());
    }

    private static void setUp(SqliteLink link, long busyTimeout) throws SQLException, DamagedRow {
        // finds more kinds of damage before they are read as data, and runs no code that a database brings along
        link.run("PRAGMA cell_size_check = 1");
        link.run("PRAGMA trusted_schema = 0");
        link.expectPragma("cell_size_check", 1);
        link.expectPragma("trusted_schema", 0);
        link.expectPragma("journal_mode", "wal");
        link.expectPragma("busy_timeout", busyTimeout);
        link.expectPragma("encoding", "UTF-8");
        link.compression(Dictionary.read(link));
    }

    /**
     * Whether the database is still the file at its path.
     *
     * @throws StoreUnavailableException if it is not
     */
    void expectInPlace() {
        files.expectDatabaseInPlace();
    }

    /** Reads in one snapshot. */
    <T> T read(String doing, @Nullable SessionId session, LinkPool.Work<T> work) {
        return use(doing, session, () -> readers.lend(link -> snapshot(link, work)));
    }

    /** Writes in one transaction, which is durable when this returns and has left nothing when this throws. */
    <T> T write(String doing, LinkPool.Work<T> work) {
        return write(doing, work, () -> {});
    }

    /**
     * The same.
     *
     * @param committed is run after the commit, before any other write
     */
    <T> T write(String doing, LinkPool.Work<T> work, Runnable committed) {
        return use(doing, null, () -> {
            writing.lock();
            try {
                T result = writer.lend(link -> transaction(link, work));
                committed.run();
                return result;
            } finally {
                writing.unlock();
            }
        });
    }

    private <T> T transaction(SqliteLink link, LinkPool.Work<T> work) throws SQLException, DamagedRow {
        link.begin();
        boolean done = false;
        try {
            T result = work.run(link);
            files.expectInPlace();
            link.commit();
            done = true;
            return result;
        } finally {
            if (!done) {
                end(link);
            }
        }
    }

    private static <T> T snapshot(SqliteLink link, LinkPool.Work<T> work) throws SQLException, DamagedRow {
        link.begin();
        try {
            return work.run(link);
        } catch (SQLException e) {
            // a statement that failed may be left standing on this snapshot, which later reads would be given again
            link.close();
            throw e;
        } finally {
            try {
                link.commit();
            } catch (SQLException e) {
                end(link);
            }
        }
    }

    /** Ends a transaction without a trace; a connection of which that cannot be said is not used again. */
    private static void end(SqliteLink link) throws SQLException {
        try {
            link.rollback();
        } catch (SQLException noTransactionLeftOrWorse) {
            link.close();
        }
    }

    /** Runs work on a borrowed connection of the writer outside of a transaction; for tests of what goes wrong. */
    <T> T onWriter(LinkPool.Work<T> work) {
        return maintain("trying", work);
    }

    /** Runs work outside of a transaction, while nobody else in this process writes. */
    <T> T maintain(String doing, LinkPool.Work<T> work) {
        return use(doing, null, () -> {
            writing.lock();
            try {
                return writer.lend(work);
            } finally {
                writing.unlock();
            }
        });
    }

    /**
     * Copies the write-ahead log into the database and cuts it to nothing. Nobody in this process reads or writes meanwhile,
     * but others may.
     *
     * @return false if somebody does, and has to be waited for
     */
    boolean truncateLog() {
        inUse.writeLock().lock();
        try {
            return use(
                    "emptying the write-ahead log",
                    null,
                    () -> writer.lend(link -> {
                        String waits = link.first("PRAGMA busy_timeout");
                        link.run("PRAGMA busy_timeout = " + TRUNCATE_WAIT_MILLIS);
                        try {
                            return "0".equals(link.first("PRAGMA wal_checkpoint(TRUNCATE)"));
                        } finally {
                            link.run("PRAGMA busy_timeout = " + waits);
                        }
                    }));
        } finally {
            inUse.writeLock().unlock();
        }
    }

    /** Copies all pages as they are, free ones too, into a new file. */
    void copyPages(Path to) throws SQLException, DamagedRow {
        readers.lend(link -> {
            int code = ((org.sqlite.SQLiteConnection) link.connection())
                    .getDatabase()
                    .backup("main", to.toString(), null);
            if (code != 0) {
                throw new SQLException("the pages could not be copied to " + to + ", code " + code);
            }
            return code;
        });
    }

    private interface Use<T> {
        T run() throws SQLException, DamagedRow;
    }

    private <T> T use(String doing, @Nullable SessionId session, Use<T> work) {
        inUse.readLock().lock();
        try {
            if (closed) {
                throw new StoreUnavailableException(
                        Reason.CLOSED, "the store " + file + " is closed; open it again to go on");
            }
            return work.run();
        } catch (DamagedRow e) {
            throw new DamagedStoreException(e.fault());
        } catch (SQLException e) {
            throw errors.translate(e, doing, session);
        } finally {
            inUse.readLock().unlock();
        }
    }

    @Override
    public void close() {
        inUse.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                readers.close();
                writer.close();
            }
        } finally {
            inUse.writeLock().unlock();
        }
    }
}
