package io.surfacelog.store.sqlite;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.EventStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventStoreTest extends EventStoreContract {

    /** An empty store, made once: Flyway takes longer than all else these tests do. */
    private static byte[] empty = {};

    @TempDir
    private Path directory;

    @BeforeAll
    static void createOnce(@TempDir Path template) throws IOException {
        Path file = template.resolve("empty.db");
        SqliteEventStore.open(SqliteSettings.at(file)).close();
        empty = Files.readAllBytes(file);
    }

    @Override
    protected EventStore openEmpty() throws IOException {
        Path file = directory.resolve("store.db");
        Files.write(file, empty);
        return SqliteEventStore.open(SqliteSettings.at(file));
    }
}
