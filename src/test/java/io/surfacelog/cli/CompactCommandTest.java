package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactCommandTest {

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void import_a_long_session() {
        cli = Cli.in(folder);
        LogFile log = LogFile.of("a");
        for (int i = 0; i < 20; i++) {
            log = log.user("question " + i + " " + "word ".repeat(100));
        }
        cli.done("import", log.in(folder, "a.jsonl"));
    }

    @Test
    void says_what_it_hides_and_what_that_brings() {
        assertThat(cli.done("compact", "a").out())
                .matches(
                        "a: \\d+ messages made room for the summary of event 22: about \\d+ tokens before, \\d+ now\\.\n");
        assertThat(cli.done("messages", "a").out()).contains("Summary of earlier messages", "question 19");
        assertThat(cli.done("explain", "a", "0").out()).contains("22");
        cli.done("verify", "--all");
    }

    @Test
    void hides_the_messages_it_is_given_and_none_that_are_not_there() {
        assertThat(cli.done("compact", "a", "--from", "3", "--to", "9").out()).contains("7 messages made room");
        assertThat(cli.failed("compact", "a", "--from", "3", "--to", "12").err())
                .contains("cannot be compacted", "found event 3, which is none or was hidden");
        assertThat(cli.run("compact", "a", "--from", "3").exitCode()).isEqualTo(2);
        assertThat(cli.run("compact", "a", "--widen").exitCode()).isEqualTo(2);
    }

    @Test
    void says_that_there_is_nothing_to_do() {
        cli.done("import", LogFile.of("b").user("hello").in(folder, "b.jsonl"));
        assertThat(cli.done("compact", "b").out())
                .isEqualTo("b: There is nothing worth a summary yet: the surface stays as it is.\n");
    }
}
