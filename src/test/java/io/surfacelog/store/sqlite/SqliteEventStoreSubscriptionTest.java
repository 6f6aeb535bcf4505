package io.surfacelog.store.sqlite;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.EventStoreSubscriptionContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventStoreSubscriptionTest extends EventStoreSubscriptionContract {

    private static EmptySqliteStore empty;

    @TempDir
    private Path directory;

    @BeforeAll
    static void createOnce(@TempDir Path template) throws IOException {
        empty = EmptySqliteStore.madeIn(template);
    }

    @Override
    protected EventStore openEmpty() throws IOException {
        return empty.open(directory);
    }
}
