package io.surfacelog.store.sqlite;

import static io.surfacelog.store.SampleLogs.header;
import static io.surfacelog.store.SampleLogs.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a store comes into being, whoever else creates it at the same time and however often it is cut short. */
class StoreBirthTest extends StoreFile {

    @Test
    void creates_a_store_where_there_is_no_file_and_no_directory() throws SQLException {
        file = directory.resolve("not/yet/there/store.db");
        createWithOneSession();
        expectOneSession();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            SqliteLink link = new SqliteLink(connection);
            assertThat(link.first("PRAGMA application_id")).isEqualTo("" + SchemaShape.APPLICATION_ID);
            assertThat(link.first("PRAGMA user_version")).isEqualTo("" + SchemaShape.VERSION);
            assertThat(link.first("PRAGMA journal_mode")).isEqualTo("wal");
            assertThat(link.first("SELECT count(*) FROM surfacelog_schema_history"))
                    .isEqualTo("1");
        }
    }

    @Test
    void creates_a_store_in_an_empty_file() throws IOException {
        Files.createFile(file);
        createWithOneSession();
        expectOneSession();
    }

    @Test
    void creates_a_store_in_an_empty_database() throws SQLException {
        sql("CREATE TABLE gone (x)", "DROP TABLE gone");
        createWithOneSession();
        expectOneSession();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "ques?tion", "per%20cent", "ha#sh", "am&p", "Ünï✓", "jdbc:sqlite"})
    void creates_a_store_at_any_path(String name) {
        file = directory.resolve(name).resolve(name + ".db");
        createWithOneSession();
        assertThat(file).exists();
        expectOneSession();
    }

    @Test
    void creates_a_store_with_the_page_size_asked_for() throws SQLException {
        SqliteEventStore.open(SqliteSettings.at(file).pageSize(16_384)).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            assertThat(new SqliteLink(connection).first("PRAGMA page_size")).isEqualTo("16384");
        }
    }

    @Test
    void creates_a_store_that_has_an_id_of_its_own_for_ever() {
        String id;
        try (EventStore store = open()) {
            id = store.info().storeId();
            assertThat(store.info().backend()).isEqualTo("sqlite");
            assertThat(store.info().schemaVersion()).isEqualTo(3);
            assertThat(store.info().location()).isEqualTo(file.toString());
        }
        try (EventStore store = open()) {
            assertThat(store.info().storeId()).isEqualTo(id);
        }
        file = directory.resolve("other.db");
        try (EventStore store = open()) {
            assertThat(store.info().storeId()).isNotEqualTo(id);
        }
    }

    @Test
    void creates_a_store_once_when_many_open_it_at_the_same_time() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(8);
        try {
            List<Callable<String>> openings = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                openings.add(() -> {
                    try (EventStore store = open()) {
                        store.commit(List.of(SessionWrite.create(header("s" + number), users(0, 2))));
                        return store.info().storeId();
                    }
                });
            }
            List<String> ids = new ArrayList<>();
            for (Future<String> opened : executor.invokeAll(openings)) {
                ids.add(opened.get());
            }
            assertThat(ids).hasSize(8).containsOnly(ids.get(0));
        } finally {
            executor.shutdownNow();
        }
        try (EventStore store = open()) {
            assertThat(store.lastPosition()).isEqualTo(8);
            assertThat(store.verifyShared()).isEmpty();
        }
    }

    @Test
    void finishes_a_creation_that_was_cut_short_before_the_mark() throws SQLException {
        // as a creation leaves it that dies before the mark is set
        createWithOneSession();
        sql(
                "PRAGMA journal_mode = DELETE",
                "PRAGMA application_id = 0",
                "PRAGMA user_version = 0",
                "DELETE FROM store_meta",
                "DELETE FROM event",
                "DELETE FROM commit_log",
                "DELETE FROM session",
                "DELETE FROM sqlite_sequence");
        createWithOneSession();
        expectOneSession();
    }

    @Test
    void finishes_a_creation_of_which_there_is_only_the_table_of_flyway() throws SQLException {
        open().close();
        sql(
                "PRAGMA journal_mode = DELETE",
                "PRAGMA application_id = 0",
                "PRAGMA user_version = 0",
                "DROP TABLE event",
                "DROP TABLE commit_log",
                "DROP TABLE idempotency_key",
                "DROP TABLE session",
                "DROP TABLE declared_type",
                "DROP TABLE store_meta",
                "DROP TABLE segment",
                "DROP TABLE kept_prefix",
                "DROP TABLE checkpoint",
                "DROP TABLE lease",
                "DROP TABLE subscription",
                "DROP TABLE audit",
                "DROP TABLE dictionary",
                "DELETE FROM surfacelog_schema_history");
        createWithOneSession();
        expectOneSession();
    }

    /**
     * Locking the file of a new database gives it its first page, and the first table is written in a transaction of its
     * own: cut short between the two, the journal leads back to a database that names nothing.
     */
    @Test
    void finishes_a_creation_that_was_cut_short_before_its_first_table() throws Exception {
        sql("BEGIN EXCLUSIVE", "COMMIT");
        leaveJournalOfFirstPage();
        createWithOneSession();
        expectOneSession();
    }

    @Test
    void does_not_roll_back_the_first_table_of_others() throws Exception {
        sql("CREATE TABLE customer (id)");
        byte[] before = leaveJournalOfFirstPage();
        assertThatThrownBy(this::open).isInstanceOf(StoreException.class);
        assertThat(Files.readAllBytes(journal())).isEqualTo(before);
    }

    private Path journal() {
        return directory.resolve(file.getFileName() + "-journal");
    }

    /** As SQLite writes it: a header in a sector of its own, then the page as it was, with its number and checksum. */
    private byte[] leaveJournalOfFirstPage() throws IOException {
        byte[] page = Files.readAllBytes(file);
        int pageSize = Short.toUnsignedInt(ByteBuffer.wrap(page).getShort(16));
        int sector = 512;
        int nonce = 7;
        int checksum = nonce;
        for (int at = pageSize - 200; at > 0; at -= 200) {
            checksum += page[at] & 0xFF;
        }
        ByteBuffer journal = ByteBuffer.allocate(sector + 4 + pageSize + 4);
        journal.putLong(0xD9D505F920A163D7L)
                .putInt(1)
                .putInt(nonce)
                .putInt(1)
                .putInt(sector)
                .putInt(pageSize);
        journal.position(sector);
        journal.putInt(1).put(page, 0, pageSize).putInt(checksum);
        Files.write(journal(), journal.array());
        return journal.array();
    }
}
