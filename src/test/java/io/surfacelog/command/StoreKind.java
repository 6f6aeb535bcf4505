package io.surfacelog.command;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.store.sqlite.SqliteSettings.Synchronous;
import java.nio.file.Path;

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
            return SqliteEventStore.open(
                    SqliteSettings.at(directory.resolve("store.db")).synchronous(Synchronous.NORMAL));
        }

        @Override
        EventStore openAgain(EventStore open, Path directory) {
            return open(directory);
        }
    };

    abstract EventStore open(Path directory);

    /** The same store as another process would have it: with connections of its own, where there are any. */
    abstract EventStore openAgain(EventStore open, Path directory);
}
