package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.surfacelog.store.ForeignStoreException;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be opened as a store, and that nothing else is touched. */
class SchemaGuardTest extends StoreFile {

    /** All files with their bytes, so that also a file left beside the database is noticed. */
    private Map<String, List<Byte>> files() throws IOException {
        Map<String, List<Byte>> files = new TreeMap<>();
        try (Stream<Path> paths = Files.list(directory)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                List<Byte> bytes = new ArrayList<>();
                for (byte b : Files.readAllBytes(path)) {
                    bytes.add(b);
                }
                files.put(path.getFileName().toString(), bytes);
            }
        }
        return files;
    }

    private ForeignStoreException expectRefusal() throws IOException {
        Map<String, List<Byte>> before = files();
        ForeignStoreException refusal = catchThrowableOfType(ForeignStoreException.class, this::open);
        assertThat(refusal).isNotNull();
        assertThat(refusal.location()).isEqualTo(file.toAbsolutePath().toString());
        assertThat(refusal.expected()).contains("schema version 3");
        assertThat(refusal.action()).isNotBlank();
        assertThat(files()).isEqualTo(before);
        return refusal;
    }

    @Nested
    class Refuses {

        @Test
        void a_database_of_another_application() throws Exception {
            sql("CREATE TABLE customer (id)", "INSERT INTO customer VALUES (1)");
            assertThat(expectRefusal().found()).contains("table customer");
        }

        @Test
        void a_store_whose_mark_was_taken_off() throws Exception {
            createWithOneSession();
            sql("PRAGMA journal_mode = DELETE", "PRAGMA application_id = 0", "PRAGMA user_version = 0");
            assertThat(expectRefusal().found()).contains("without an application id");
        }

        @Test
        void one_in_wal_mode_and_leaves_no_file_beside_it() throws Exception {
            sql("PRAGMA journal_mode = WAL", "CREATE TABLE customer (id)");
            expectRefusal();
        }

        @Test
        void one_with_another_application_id() throws Exception {
            sql("PRAGMA application_id = 252006674", "PRAGMA journal_mode = WAL", "CREATE TABLE customer (id)");
            assertThat(expectRefusal().found()).contains("application id 0x0F055112");
        }

        @Test
        void one_of_which_only_the_log_holds_anything() throws Exception {
            Path source = directory.resolve("source.db");
            file = source;
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("CREATE TABLE customer (id)");
                Files.copy(source, directory.resolve("store.db"));
                Files.copy(directory.resolve("source.db-wal"), directory.resolve("store.db-wal"));
            }
            file = directory.resolve("store.db");
            expectRefusal();
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 2, 4, 99, -1})
        void a_store_of_another_schema_version(int version) throws Exception {
            createWithOneSession();
            sql("PRAGMA user_version = " + version);
            ForeignStoreException refusal = expectRefusal();
            assertThat(refusal.found()).isEqualTo("schema version " + version);
            assertThat(refusal.action()).contains("version of Surfacelog that made it");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "DROP INDEX segment_owner",
                    "DROP TABLE declared_type",
                    "ALTER TABLE event ADD COLUMN extra TEXT",
                    "ALTER TABLE session RENAME COLUMN parent TO mother",
                    "ALTER TABLE commit_log RENAME TO commits",
                    "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END",
                    "CREATE UNIQUE INDEX u ON event (time)"
                })
        void a_store_whose_schema_was_changed(String change) throws Exception {
            createWithOneSession();
            sql(change);
            // looking at a store, unlike at a foreign file, may leave empty files of SQLite's beside it
            byte[] before = Files.readAllBytes(file);
            assertThatThrownBy(SchemaGuardTest.this::open)
                    .isInstanceOfSatisfying(
                            ForeignStoreException.class,
                            e -> assertThat(e.found()).isNotBlank());
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }

        @Test
        void a_text_file() throws Exception {
            Files.writeString(file, "dear diary, ".repeat(1_000));
            assertThat(expectRefusal().found()).contains("no SQLite database");
        }

        @Test
        void a_file_too_short_to_be_a_database() throws Exception {
            Files.writeString(file, "x");
            expectRefusal();
            createElsewhereAndTruncateTo(99);
            expectRefusal();
        }

        private void createElsewhereAndTruncateTo(int length) throws IOException {
            Files.delete(file);
            createWithOneSession();
            Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));
        }

        @ParameterizedTest
        @ValueSource(ints = {100, 600, 4_096, 5_000, 20_480})
        void a_truncated_store(int length) throws Exception {
            createWithOneSession();
            Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));
            byte[] before = Files.readAllBytes(file);
            assertThatThrownBy(SchemaGuardTest.this::open).isInstanceOf(StoreException.class);
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }

        @Test
        void a_log_that_has_lost_its_database() throws Exception {
            Files.writeString(directory.resolve("store.db-wal"), "the only copy of somebody's work");
            assertThat(expectRefusal().found()).contains("write-ahead log");
        }

        @Test
        void a_directory() throws Exception {
            Files.createDirectory(file);
            expectUnavailable(Reason.CANNOT_OPEN, "expected a database file, found the directory");
        }

        @Test
        void a_directory_that_is_a_file() throws Exception {
            Files.writeString(directory.resolve("file"), "x");
            file = directory.resolve("file/store.db");
            expectUnavailable(Reason.CANNOT_OPEN, "cannot create the directory");
        }

        @Test
        @EnabledOnOs(OS.LINUX)
        void a_directory_that_cannot_be_made() {
            file = Path.of("/proc/surfacelog/store.db");
            expectUnavailable(Reason.CANNOT_OPEN, "cannot create the directory");
        }

        @Test
        void a_file_it_may_not_write() throws Exception {
            createWithOneSession();
            assumeTrue(file.toFile().setReadOnly() && !Files.isWritable(file));
            expectUnavailable(Reason.READ_ONLY, "read-only");
        }

        @Test
        void a_directory_it_may_not_write() {
            assumeTrue(directory.toFile().setReadOnly() && !Files.isWritable(directory));
            try {
                expectUnavailable(Reason.READ_ONLY, "read-only");
            } finally {
                assertThat(directory.toFile().setWritable(true)).isTrue();
            }
        }

        private void expectUnavailable(Reason reason, String words) {
            assertThatThrownBy(SchemaGuardTest.this::open)
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            e -> assertThat(e.reason()).isEqualTo(reason))
                    .hasMessageContaining(words)
                    .hasMessageContaining(String.valueOf(file.getParent()));
        }
    }

    @Nested
    class Tolerates {

        @Test
        void what_an_operator_adds() throws Exception {
            createWithOneSession();
            sql(
                    "CREATE INDEX by_type ON event (type)",
                    "CREATE TABLE notes (text)",
                    "CREATE VIEW long_ones AS SELECT * FROM event WHERE length(data) > 1000",
                    "CREATE TRIGGER mine AFTER INSERT ON notes BEGIN DELETE FROM notes; END",
                    "ANALYZE",
                    "VACUUM");
            expectOneSession();
        }

        @Test
        void another_journal_mode_which_it_sets_back() throws Exception {
            createWithOneSession();
            sql("PRAGMA journal_mode = DELETE");
            expectOneSession();
        }
    }
}
