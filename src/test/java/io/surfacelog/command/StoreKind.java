package io.surfacelog.command;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.store.sqlite.SqliteSettings.Synchronous;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The backends that every suite of this package, the query side and the stream runs on. */
public enum StoreKind {
    MEMORY {
        @Override
        EventStore open(Path directory) {
            return MemoryEventStore.create();
        }

        @Override
        EventStore openAgain(EventStore open, Path directory) {
            return open;
        }
    },
    SQLITE {
        @Override
        EventStore open(Path directory) {
            Path file = directory.resolve("store.db");
            if (!Files.exists(file)) {
                copyTo(file);
            }
            return SqliteEventStore.open(SqliteSettings.at(file).synchronous(Synchronous.NORMAL));
        }

        @Override
        EventStore openAgain(EventStore open, Path directory) {
            return open(directory);
        }
    };

    /** An empty database, made once: to make one takes longer than most tests. */
    private static byte @Nullable [] empty;

    private static synchronized void copyTo(Path file) {
        try {
            byte[] bytes = empty;
            if (bytes == null) {
                SqliteEventStore.open(SqliteSettings.at(file)).close();
                empty = Files.readAllBytes(file);
            } else {
                Files.write(file, bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    abstract EventStore open(Path directory);

    /** The same store as another process would have it: with connections of its own, where there are any. */
    abstract EventStore openAgain(EventStore open, Path directory);
}
