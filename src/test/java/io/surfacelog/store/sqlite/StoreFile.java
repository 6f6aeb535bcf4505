package io.surfacelog.store.sqlite;

import static io.surfacelog.store.SampleLogs.header;
import static io.surfacelog.store.SampleLogs.users;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionWrite;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database file in a directory of its own for each test, which may move it, change it or take it away. */
abstract class StoreFile {

    static final SessionId A = SessionId.of("a");

    @TempDir
    Path directory;

    Path file = Path.of("");

    @BeforeEach
    void name() {
        file = directory.resolve("store.db");
    }

    final SqliteEventStore open() {
        return SqliteEventStore.open(SqliteSettings.at(file));
    }

    /** Runs statements on a connection that knows nothing of stores. */
    final void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toUri());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Opens the store, new or not, and begins session a with three events. */
    final SqliteEventStore openWithOneSession() {
        SqliteEventStore store = open();
        store.commit(List.of(SessionWrite.create(header("a"), users(0, 3))));
        return store;
    }

    final void createWithOneSession() {
        openWithOneSession().close();
    }

    final void expectOneSession() {
        try (EventStore store = open()) {
            assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 3));
            assertThat(store.verifyShared()).isEmpty();
            assertThat(store.verify(A)).isEmpty();
            store.commit(List.of(SessionWrite.append(A, 3, users(3, 1), "k")));
        }
    }
}
