package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the files that the connections have open are still those found at their paths. SQLite goes on writing into a
 * file that was deleted or replaced, and says that all is well, where nobody will ever find it again. A file system that
 * cannot tell files apart does not let an open one be replaced. Used under the writer's lock, but for what readers ask.
 */
final class OpenFiles {

    private final Path database;

    /** The write-ahead log and its index, which last as long as anybody has the database open. */
    private final List<Path> besides;

    private volatile @Nullable Object databaseKey;
    private List<@Nullable Object> besidesKeys = List.of();

    OpenFiles(Path database) {
        this.database = database;
        // by way of the URI, since a name beyond ASCII has no text in an ASCII locale
        this.besides =
                List.of(Path.of(URI.create(database.toUri() + "-wal")), Path.of(URI.create(database.toUri() + "-shm")));
    }

    /** The writer has the database open, and has used it, so that the files beside it are there. */
    void writerOpened() {
        if (databaseKey == null) {
            databaseKey = key(database);
        }
        expectDatabaseInPlace();
        List<@Nullable Object> keys = new ArrayList<>();
        besides.forEach(file -> keys.add(key(file)));
        besidesKeys = keys;
    }

    /** To be called before a commit, with the lock of its transaction. Cost: three looks at the file system. */
    void expectInPlace() {
        expectDatabaseInPlace();
        for (int i = 0; i < besidesKeys.size(); i++) {
            expect(besides.get(i), besidesKeys.get(i));
        }
    }

    void expectDatabaseInPlace() {
        expect(database, databaseKey);
    }

    private void expect(Path file, @Nullable Object expected) {
        if (expected != null && !expected.equals(key(file))) {
            throw new StoreUnavailableException(
                    Reason.GONE,
                    "while the store " + database + " was open, " + file
                            + " was deleted, moved or replaced; nothing of this was stored: put the file back, or open the"
                            + " store again to use what is there now");
        }
    }

    /** Null if there is no such file. */
    private static @Nullable Object key(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    Reason.IO, "cannot look at " + file + ": " + SqliteErrors.reason(e) + "; check the file system", e);
        }
    }
}
