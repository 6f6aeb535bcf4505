package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fork}, {@code delete}, {@code erase} and {@code reclaim}. */
class ForkAndEraseTest {

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void import_a_session() {
        cli = Cli.in(folder);
        cli.done(
                "import",
                LogFile.of("source-1")
                        .event("turn/start", "{\"turn\":1}")
                        .event("turn/end", "{\"turn\":1,\"reason\":{\"kind\":\"completed\"}}")
                        .event("turn/start", "{\"turn\":2}")
                        .in(folder, "source.jsonl"));
    }

    @Test
    void a_session_is_forked_where_no_turn_is_open() {
        assertThat(cli.failed("fork", "source-1").err()).contains("inside the turn that began at event 2");
        assertThat(cli.done("fork", "source-1", "--at", "1", "--as", "child-1").out())
                .isEqualTo("child-1: shares 2 events of source-1, goes on at event 3\n");
        assertThat(cli.done("fork", "source-1", "--before-open-turn", "--as", "child-2")
                        .out())
                .isEqualTo("child-2: shares 2 events of source-1, goes on at event 3\n");
        assertThat(cli.failed("fork", "source-1", "--at", "9").err()).contains("one from 0 to 2, found 9");
        assertThat(cli.failed("fork", "nobody").err()).contains("there is no session \"nobody\"");
        assertThat(cli.failed("fork", "source-1", "--as", "child-1").err()).contains("already");
        cli.done("verify", "--all");
    }

    @Test
    void a_session_is_deleted_and_what_a_fork_shares_is_kept() {
        cli.done("fork", "source-1", "--at", "1", "--as", "child-1");
        assertThat(cli.done("delete", "source-1").out())
                .isEqualTo("source-1: deleted, 1 event removed\n  2 events kept for child-1\n");
        assertThat(cli.failed("delete", "source-1").err()).contains("there is no session");
        cli.done("verify", "--all");
        assertThat(cli.done("reclaim").out()).matches("\\d+ bytes before, \\d+ bytes after\n");
        assertThat(cli.done("show", "child-1").out()).contains("session/end-seed");
    }

    @Test
    void a_session_is_erased_with_those_that_need_it_if_that_is_asked_for() {
        cli.done("fork", "source-1", "--at", "1", "--as", "child-1");
        assertThat(cli.failed("erase", "source-1").err()).contains("[child-1]", "cascade");
        String said = cli.done("erase", "source-1", "--cascade").out();
        assertThat(said).startsWith("source-1, child-1: erased, 4 events in ").contains(": 0 left");
        assertThat(cli.done("list").out()).doesNotContain("source-1", "child-1");
    }
}
