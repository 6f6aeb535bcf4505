package io.surfacelog.store.sqlite;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.EventStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventStoreTest extends EventStoreContract {

    @TempDir
    private Path directory;

    @Override
    protected EventStore openEmpty() {
        return SqliteEventStore.open(SqliteSettings.at(directory.resolve("store.db")));
    }
}
