package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every bad input is told in one sentence and leaves database and list as they were. */
class ImportRefusalsTest {

    @TempDir
    Path folder;

    /** Refused where there is no database, which is not made, and where there is one, which stays byte for byte. */
    private String refused(Path file, Object... options) {
        Object[] args = new Object[options.length + 2];
        args[0] = "import";
        args[1] = file;
        System.arraycopy(options, 0, args, 2, options.length);
        Cli none = new Cli(folder.resolve("none").resolve("log.db"));
        String sentence = none.failed(args).err();
        assertThat(none.files()).isEmpty();
        Cli filled = Cli.in(folder);
        filled.done("import", LogFile.of("there").user("hi").in(folder, "there.jsonl"));
        Map<String, String> before = filled.files();
        String list = filled.done("list").out();

        assertThat(filled.failed(args).err()).isEqualTo(sentence);

        assertThat(filled.files()).isEqualTo(before);
        assertThat(filled.done("list").out()).isEqualTo(list);
        return sentence;
    }

    @Nested
    class Files_that_are_refused {

        @Test
        void an_undeclared_type() {
            Path file = LogFile.of("s").event("vendor/cost", "{}").in(folder);

            assertThat(refused(file))
                    .startsWith(file + ": refused by type.undeclared at line 2, event 0: ")
                    .contains("\"vendor/cost\"", "--keep-unknown");
        }

        @Test
        void a_newer_log_version() {
            Path file = LogFile.withHeader("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}")
                    .in(folder);

            assertThat(refused(file))
                    .startsWith(file + ": refused by head.version at line 1: ")
                    .contains("found 3", "newer version");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"type\":\"turn/start\",\"seq\":1,\"time\":5,\"data\":{\"turn\":1}|json.syntax at line 3",
                    "no json at all|json.syntax at line 3",
                    "''|json.syntax at line 3",
                    "{\"type\":\"hook/x\",\"seq\":1,\"time\":5,\"data\":1e400}|json.lossless at line 3, event 1",
                    "{\"type\":\"hook/x\",\"seq\":1,\"time\":5,\"data\":{\"a\":1,\"a\":2}}|json.syntax at line 3",
                    "{\"type\":\"hook/x\",\"seq\":2,\"time\":5,\"data\":1}|seq.contiguous at line 3, event 1"
                })
        void a_broken_line(String line, String place) {
            assertThat(refused(
                            LogFile.of("s").user("hi").line(line).user("there").in(folder)))
                    .contains("refused by " + place + ": ");
        }

        @Test
        void bytes_that_are_no_UTF_8() throws IOException {
            Path file = folder.resolve("latin.jsonl");
            Files.write(
                    file, LogFile.of("s").user("süß").text().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));

            assertThat(refused(file)).contains("json.syntax at line 2", "UTF-8");
        }

        @ParameterizedTest
        @ValueSource(strings = {"\"id\":\"\",", "\"id\":7,", ""})
        void a_wrong_id(String id) {
            Path file = LogFile.withHeader("{\"type\":\"session\",\"version\":0," + id + "\"createdAt\":1}")
                    .in(folder);

            assertThat(refused(file)).contains("refused by head.id at line 1: ");
        }

        @Test
        void a_torn_header() {
            Path file = LogFile.write(folder.resolve("torn.jsonl"), "{\"type\":\"session\",\"version\":0,\"id\":\"s");

            assertThat(refused(file)).contains("refused by head.record at line 1: ", "cut short");
        }

        @Test
        void an_empty_file() {
            assertThat(refused(LogFile.write(folder.resolve("empty.jsonl"), "")))
                    .contains("an empty file");
        }

        @Test
        void a_missing_file() {
            Path file = folder.resolve("missing.jsonl");

            assertThat(refused(file)).isEqualTo("There is no file " + file + ".\n");
        }

        @Test
        void an_event_of_one_byte_too_many() {
            int largest = 16 << 20;
            String start = "{\"type\":\"hook/x\",\"seq\":0,\"time\":5,\"data\":\"";
            String text = "x".repeat(largest - start.length() - 2);

            Cli cli = Cli.in(folder);
            Path reached = LogFile.of("reached").line(start + text + "\"}").in(folder, "reached.jsonl");
            assertThat(cli.done("import", reached).out()).isEqualTo("reached: 1 event, 0 nodes\n");
            Path passed = LogFile.of("passed").line(start + text + "x\"}").in(folder, "passed.jsonl");
            assertThat(refused(passed))
                    .contains("refused by limit.event-bytes at line 2, event 0: ", "16777216", "16777217");
            assertThat(cli.done("verify", "reached").out()).isEqualTo("reached: sound, 1 event\n");
        }

        @Test
        void an_event_of_one_level_too_many() {
            // the event is level 1 and its data begins at level 2
            String deepest = "[".repeat(1999) + "]".repeat(1999);

            Cli cli = Cli.in(folder);
            Path reached = LogFile.of("reached").event("hook/x", deepest).in(folder, "reached.jsonl");
            assertThat(cli.done("import", reached).out()).isEqualTo("reached: 1 event, 0 nodes\n");
            assertThat(refused(LogFile.of("passed")
                            .event("hook/x", "[" + deepest + "]")
                            .in(folder)))
                    .contains("refused by limit.depth at line 2, event 0: ");
            assertThat(cli.done("export", "reached").out()).contains(deepest);
        }

        @Test
        void a_session_that_is_there() {
            Cli cli = Cli.in(folder);
            Path file = LogFile.of("twice").user("hi").in(folder);
            cli.done("import", file);
            Map<String, String> before = cli.files();

            assertThat(cli.failed("import", file).err())
                    .isEqualTo(file + ": there is a session twice already; nothing was imported, --as gives it another"
                            + " id.\n");
            assertThat(cli.failed("import", LogFile.of("other").in(folder), "--as", "twice")
                            .err())
                    .contains("there is a session twice already");
            assertThat(cli.files()).isEqualTo(before);
        }
    }

    @Nested
    class Databases_that_are_refused {

        private Path database;

        @BeforeEach
        void name_the_database() {
            database = folder.resolve("store").resolve("log.db");
        }

        private void sql(String... statements) throws IOException, SQLException {
            Files.createDirectories(database.getParent());
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                    Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            }
        }

        /** Refused by every command, and left byte for byte. */
        private String refusedByAll() {
            Cli cli = new Cli(database);
            Map<String, String> before = cli.files();
            String sentence =
                    cli.failed("import", LogFile.of("s").user("hi").in(folder)).err();
            for (String command : new String[] {"list", "show s", "export s", "verify --all", "recover s"}) {
                assertThat(cli.failed((Object[]) command.split(" ", -1)).err())
                        .as(command)
                        .isEqualTo(sentence);
            }
            assertThat(cli.files()).isEqualTo(before);
            return sentence;
        }

        @Test
        void a_foreign_one() throws Exception {
            sql("CREATE TABLE recipe (name TEXT)", "INSERT INTO recipe VALUES ('soup')");

            assertThat(refusedByAll()).contains(database.toString(), "table recipe", "nothing was changed");
        }

        @Test
        void a_newer_one() throws Exception {
            Cli.in(folder).done("import", LogFile.of("old").user("hi").in(folder));
            sql("PRAGMA user_version = 99");

            assertThat(refusedByAll())
                    .contains("found schema version 99", "expected a Surfacelog store of schema version");
        }

        @Test
        void a_file_that_is_no_database() throws IOException {
            Files.createDirectories(database.getParent());
            LogFile.write(database, "x".repeat(5000));

            assertThat(refusedByAll()).contains("no SQLite database");
        }

        @Test
        void a_directory() throws IOException {
            Files.createDirectories(database);

            assertThat(refusedByAll()).contains("found the directory " + database);
        }

        @Test
        void one_in_a_directory_that_is_read_only() throws IOException {
            Path directory = Files.createDirectories(folder.resolve("store"));
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
            boolean readOnly = !Files.isWritable(directory);
            if (!readOnly) {
                System.out.println("skipped: this user may write to a read-only directory, as root may");
            }
            assumeTrue(readOnly, "this user may write to a read-only directory");

            assertThat(new Cli(database)
                            .failed("import", LogFile.of("s").in(folder))
                            .err())
                    .contains("the directory " + directory + " is read-only");
            assertThat(directory).isEmptyDirectory();
        }

        @Test
        void one_whose_directory_is_a_file() throws IOException {
            LogFile.write(folder.resolve("store"), "");

            assertThat(new Cli(database)
                            .failed("import", LogFile.of("s").in(folder))
                            .err())
                    .contains("cannot create the directory");
            assertThat(folder.resolve("store")).isEmptyFile();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "list",
                "show s",
                "messages s",
                "surface s",
                "export s",
                "verify s",
                "verify --all",
                "recover s",
                "explain s 0"
            })
    void no_other_command_makes_a_database(String command) throws IOException {
        Cli cli = Cli.in(folder);

        assertThat(cli.failed((Object[]) command.split(" ", -1)).err())
                .isEqualTo("there is no database " + cli.database() + "; import makes one, and --db names another.\n");
        assertThat(cli.files()).isEmpty();
        Files.createDirectories(cli.database().getParent());
        Files.createFile(cli.database());
        assertThat(cli.failed((Object[]) command.split(" ", -1)).err()).contains("there is no database");
        assertThat(cli.database()).isEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(strings = {"show s", "messages s", "surface s", "export s", "verify s", "recover s", "explain s 0"})
    void every_command_names_a_session_that_is_not_there(String command) {
        Cli cli = Cli.in(folder);
        cli.done("import", LogFile.of("there").in(folder));

        assertThat(cli.failed((Object[]) command.split(" ", -1)).err())
                .isEqualTo("there is no session \"s\" in this store; list shows those there are.\n");
    }
}
