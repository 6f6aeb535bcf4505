package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void import_sessions() {
        cli = Cli.in(folder);
        cli.done(
                "import",
                LogFile.of("a", ShowCommandTest.log()).in(folder, "a.jsonl"),
                LogFile.of("b").event("turn/start", "{\"turn\":7}").in(folder, "b.jsonl"));
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + cli.database());
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isPositive();
        }
    }

    @Test
    void sound_sessions_are_sound_and_findings_are_no_failure() {
        assertThat(cli.done("verify", "a").out()).isEqualTo("a: sound, 14 events\n");
        assertThat(cli.done("verify", "--all").out())
                .startsWith("what belongs to no session: sound\nb: sound, 1 event\n  finding: turn.number at event 0: ")
                .endsWith("\na: sound, 14 events\n");
    }

    @Test
    void a_changed_row_is_found_and_named() throws SQLException {
        sql("UPDATE event SET data = replace(data, 'two', 'tow') WHERE data LIKE '%two%'");

        CommandRun run = cli.run("verify", "a");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).startsWith("a: not sound, ").contains("  fault: event, session a, event 10: ");
        CommandRun all = cli.run("verify", "--all");
        assertThat(all.exitCode()).isEqualTo(1);
        assertThat(all.out()).contains("b: sound, 1 event\n", "a: not sound, ");
        assertThat(cli.failed("export", "a", "-o", folder.resolve("out")).err()).contains("damaged", "event 10");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void a_row_that_vanished_is_found() throws SQLException {
        sql("DELETE FROM event WHERE data LIKE '%two%'");

        assertThat(cli.run("verify", "a").exitCode()).isEqualTo(1);
        assertThat(cli.run("verify", "b").exitCode()).isZero();
    }

    @Test
    void a_commit_that_vanished_belongs_to_no_session() throws SQLException {
        sql("DELETE FROM commit_log WHERE position = 1");

        CommandRun run = cli.run("verify", "--all");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).startsWith("what belongs to no session: not sound\n  fault: ");
    }

    @Test
    void a_damaged_session_row_hides_no_other_session() throws SQLException {
        sql("UPDATE session SET header = replace(header, '\"id\":\"b\"', '\"id\":\"x\"') WHERE id = 'b'");

        CommandRun all = cli.run("verify", "--all");
        assertThat(all.exitCode()).isEqualTo(1);
        assertThat(all.out())
                .contains("a session that cannot be listed: not sound\n  fault: session, ", "a: sound, 14 events\n");
        CommandRun list = cli.run("list");
        assertThat(list.exitCode()).isEqualTo(1);
        assertThat(list.out()).endsWith("  a\n");
        assertThat(list.err()).contains("A session cannot be listed: session, ");
    }

    @Test
    void a_reading_command_makes_no_store_of_a_database_without_tables() throws Exception {
        Cli other = Cli.in(Files.createDirectory(folder.resolve("other")));
        Path empty = other.database();
        Files.createDirectories(empty.getParent());
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + empty);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE x (y)");
            statement.executeUpdate("DROP TABLE x");
        }
        byte[] before = Files.readAllBytes(empty);

        CommandRun run = other.run("list");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("there is no database");
        assertThat(Files.readAllBytes(empty)).isEqualTo(before);
    }

    @Test
    void takes_either_a_session_or_all() {
        assertThat(cli.run("verify").exitCode()).isEqualTo(2);
        assertThat(cli.run("verify", "a", "--all").exitCode()).isEqualTo(2);
    }
}
