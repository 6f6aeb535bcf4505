package io.surfacelog.store.sqlite;

import io.surfacelog.store.EventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens empty stores that were not made one by one: Flyway takes longer than all that a test does with one. */
final class EmptySqliteStore {

    private final byte[] database;

    private EmptySqliteStore(byte[] database) {
        this.database = database;
    }

    static EmptySqliteStore madeIn(Path directory) throws IOException {
        Path file = directory.resolve("empty.db");
        SqliteEventStore.open(SqliteSettings.at(file)).close();
        return new EmptySqliteStore(Files.readAllBytes(file));
    }

    EventStore open(Path directory) throws IOException {
        Path file = directory.resolve("store.db");
        Files.write(file, database);
        return SqliteEventStore.open(SqliteSettings.at(file));
    }
}
