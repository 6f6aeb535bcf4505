package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the files that the connections have open are still those found at their paths. SQLite goes on writing into a
 * file that was deleted or replaced, and says that all is well, where nobody will ever find it again. A file system that
 * cannot tell files apart does not let an open one be replaced. Used under the writer's lock, but for what readers ask.
 *
 * <p>No file leaves its place without a change of its directory, so for as long as the directory is as it was, the files
 * need no look. It is better to give them none: where the kernel keeps fine times for whoever asks (Linux 6.13 and later), asking for
 * those of the write-ahead log makes every sync write an inode too, which a commit then waits for.
 */
final class OpenFiles {

    /** Two changes closer than this may leave a directory with the same time: FAT, the coarsest, counts in two seconds. */
    private static final Duration TICK = Duration.ofSeconds(3);

    /** Which directory, and when an entry of it was last added, removed or renamed. */
    private record State(Object key, FileTime changed) {

        private boolean isSettled() {
            return changed.toMillis() < System.currentTimeMillis() - TICK.toMillis();
        }
    }

    private final Path database;

    /** Of all files; null where the path of the database is a link, beneath which directories may change unseen. */
    private @Nullable Path directory;

    private volatile @Nullable Object databaseKey;

    /** The write-ahead log and its index, which last as long as anybody has the database open, and which files they are. */
    private Map<Path, Object> besides = Map.of();

    /** The state in which all files were in place, if no later one can be mistaken for it. */
    private @Nullable State trusted;

    OpenFiles(Path database) {
        this.database = database.toAbsolutePath();
    }

    /** The writer has the database open, and has used it, so that the files beside it are there. */
    void writerOpened() {
        if (databaseKey == null) {
            databaseKey = key(database);
        }
        expectDatabaseInPlace();
        Path file = real(database);
        directory = Files.isSymbolicLink(database) ? null : database.getParent();
        trusted = null;
        Map<Path, Object> keys = new LinkedHashMap<>();
        for (String suffix : new String[] {"-wal", "-shm"}) {
            // by way of the URI, since a name beyond ASCII has no text in an ASCII locale
            Path beside = Path.of(URI.create(file.toUri() + suffix));
            Object key = key(beside);
            if (key != null) {
                keys.put(beside, key);
            }
        }
        besides = keys;
    }

    /** To be called before a commit, with the lock of its transaction. Cost: one look at the file system. */
    void expectInPlace() {
        State found = directory == null ? null : state(directory);
        if (found != null && found.equals(trusted)) {
            return;
        }
        expectDatabaseInPlace();
        besides.forEach(this::expect);
        trusted = found != null && found.isSettled() ? found : null;
    }

    void expectDatabaseInPlace() {
        Object expected = databaseKey;
        if (expected != null) {
            expect(database, expected);
        }
    }

    private void expect(Path file, Object expected) {
        if (!expected.equals(key(file))) {
            throw new StoreUnavailableException(
                    Reason.GONE,
                    "while the store " + database + " was open, " + file
                            + " was deleted, moved or replaced; nothing of this was stored: put the file back, or open the"
                            + " store again to use what is there now");
        }
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Null if there is no such directory, or none that can be told from another. */
    private static @Nullable State state(Path directory) {
        BasicFileAttributes attributes = attributes(directory);
        return attributes == null || attributes.fileKey() == null
                ? null
                : new State(attributes.fileKey(), attributes.lastModifiedTime());
    }

    /** Null if there is no such file. */
    private static @Nullable Object key(Path file) {
        BasicFileAttributes attributes = attributes(file);
        return attributes == null ? null : attributes.fileKey();
    }

    private static @Nullable BasicFileAttributes attributes(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static StoreUnavailableException unreadable(Path file, IOException e) {
        return new StoreUnavailableException(
                Reason.IO, "cannot look at " + file + ": " + SqliteErrors.reason(e) + "; check the file system", e);
    }
}
