package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeaseHolder;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chat whose lines come from a pipe. */
class ChatCommandTest {

    private static final Pattern KEPT = Pattern.compile("Session (\\S+); chat --resume goes on with it\\.");

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void in_a_folder_of_its_own() {
        cli = Cli.in(folder);
    }

    private CommandRun chat(String lines, String... options) {
        String[] args = new String[options.length + 3];
        args[0] = "--db";
        args[1] = cli.database().toString();
        args[2] = "chat";
        System.arraycopy(options, 0, args, 3, options.length);
        return CommandRun.withInput(lines, args);
    }

    private static String session(CommandRun run) {
        Matcher kept = KEPT.matcher(run.err());
        assertThat(kept.find()).as(run.err()).isTrue();
        return kept.group(1);
    }

    @Test
    void every_line_is_a_prompt_that_is_answered_before_the_next_is_read() {
        CommandRun run = chat("what is 2+3?\n\nwhat is 12 * (3 + 4)?\n");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("""
                [main turn 1]
                > what is 2+3?
                Let me ask the calculator.
                ⚙ calculator({"expression":"2+3"})
                  ↳ calculator: 5
                The answer is 5.
                [main turn 2]
                > what is 12 * (3 + 4)?
                Let me ask the calculator.
                ⚙ calculator({"expression":"12 * (3 + 4)"})
                  ↳ calculator: 84
                The answer is 84.
                """);
        String id = session(run);
        assertThat(cli.done("messages", id).out()).contains("what is 2+3?", "The answer is 84.");
        cli.done("verify", "--all");
    }

    @Test
    void a_session_goes_on_where_it_was_left() {
        String id = session(chat("what is 2+3?\n"));

        CommandRun again = chat("what is 5+5?\n", "--resume", id);

        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.err()).contains("Session " + id + " goes on; nothing had been left open.");
        assertThat(again.out())
                .containsSubsequence(
                        "[main turn 1]\n",
                        "> what is 2+3?\n",
                        "The answer is 5.\n",
                        "[main turn 2]\n",
                        "> what is 5+5?\n",
                        "The answer is 10.\n");
        assertThat(session(again)).isEqualTo(id);
    }

    @Test
    void what_a_crash_left_open_is_told_when_the_session_goes_on() {
        cli.done(
                "import",
                LogFile.of("broken")
                        .event("turn/start", "{\"turn\":1}")
                        .user("Is anybody there?")
                        .in(folder, "broken.jsonl"));

        CommandRun run = chat("", "--resume", "broken");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("what a crash had left open was closed by 1 event, from event 2 on");
        assertThat(run.out()).isEqualTo("""
                [main turn 1]
                > Is anybody there?
                (turn 1 interrupted: its process ended in the middle of it)
                """);
    }

    @Test
    void the_commands_show_and_fork_the_session() {
        CommandRun run = chat(
                "what is 2+3?\n/surface\n/explain 1\n/fork second\nwhat is 1+1?\n/help\n/quit\nnot read any more\n");

        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .containsSubsequence(
                        "seq  type",
                        "user/message",
                        "1  user/message  current  what is 2+3?",
                        "on the surface: now, as itself",
                        "second: shares ",
                        "[main turn 2]",
                        "The answer is 2.",
                        "/explain SEQ")
                .doesNotContain("not read");
        assertThat(session(run)).isEqualTo("second");
        assertThat(cli.done("messages", "second").out()).contains("what is 2+3?", "what is 1+1?");
        assertThat(cli.done("list").out()).contains("second");
    }

    @Test
    void what_cannot_be_done_is_said_and_ends_with_exit_code_1() {
        CommandRun run = chat("/surface\n/compact\nwhat is 2+3?\n/compact\n/explain x\n/explain 999\n/nonsense\n");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains(
                        "Nothing has been said yet, so there is no session to surface.",
                        "so there is no session to compact.",
                        "There is nothing worth a summary yet: the surface stays as it is.",
                        "Expected the seq of an event, as /explain 12, found \"x\".",
                        "999",
                        "There is no command /nonsense; /help names those there are.");
    }

    @Test
    void a_chat_in_which_nothing_was_said_leaves_no_session() {
        CommandRun run = chat("\n  \n");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("Nothing was said, so no session was kept.");
        assertThat(cli.done("list").out().lines()).hasSizeLessThan(2);
    }

    @Test
    void a_remark_without_a_turn_begins_one() {
        CommandRun run = chat("!what is 2+3?\n");

        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out()).contains("[main turn 1]\n! what is 2+3?\n");
    }

    @Test
    void a_session_that_another_process_drives_is_refused_with_its_holder() {
        String id = session(chat("what is 2+3?\n"));
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(cli.database()))) {
            store.takeLease(LeaseRequest.by(
                    new LeaseHolder("o", "web-1", "4711 x y"),
                    SessionId.of(id),
                    LeasePurpose.DRIVER,
                    System.currentTimeMillis(),
                    Duration.ofHours(1)));
        }

        CommandRun run = chat("what is 5+5?\n", "--resume", id);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("session \"" + id + "\" is driven by process 4711 on web-1");
        assertThat(run.out()).isEmpty();
        assertThat(cli.done("messages", id).out()).doesNotContain("5+5");
    }

    @Test
    void a_session_that_is_not_there_is_refused_and_no_database_is_made_for_it() {
        assertThat(chat("", "--resume", "nowhere").exitCode()).isEqualTo(1);
        assertThat(cli.files()).isEmpty();
        session(chat("what is 2+3?\n"));
        CommandRun run = chat("", "--resume", "nowhere");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("nowhere").endsWith(".\n");
    }

    @Test
    void what_a_terminal_would_obey_is_shown_and_not_sent() {
        CommandRun run = chat("what is 2+3? \u001b[2J\u009b31m\u202e\n");

        assertThat(run.out()).contains("> what is 2+3? ␛[2J\\u009b31m\\u202e\n");
    }
}
