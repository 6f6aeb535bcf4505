package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.testing.LogBuilder;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void import_a_session() {
        cli = Cli.in(folder);
        cli.done("import", LogFile.of("s", ShowCommandTest.log()).in(folder));
    }

    @Test
    void a_replace_names_its_range_and_what_it_was_made_of() {
        assertThat(cli.done("explain", "s", 11).out()).isEqualTo("""
                        11  user/message  current  replaces 1..6 (2 nodes: 1,6)  summary
                        ├─ 1  user/message  shadowed by 11  one
                        └─ 6  assistant/message  shadowed by 11  answer
                        cited by no event
                        on the surface: now, as itself
                        """);
    }

    @Test
    void what_was_replaced_leads_to_what_the_model_sees_now() {
        LogBuilder log = LogBuilder.log().user("a").user("b").user("c");
        log.replace(0, 1, LogBuilder.userMessage("ab"));
        log.replace(3, 2, LogBuilder.userMessage("abc"));
        cli.done("import", LogFile.of("twice", log.events()).in(folder));

        assertThat(cli.done("explain", "twice", 0).out()).isEqualTo("""
                        0  user/message  shadowed by 3  a
                        cited by
                        └─ 3  user/message  shadowed by 4  replaces 0..1 (2 nodes: 0,1)  ab
                        on the surface: through what took its place, 0 → 3 → 4
                        """);
        assertThat(cli.done("explain", "twice", 4).out()).isEqualTo("""
                        4  user/message  current  replaces 3..2 (2 nodes: 3,2)  abc
                        ├─ 3  user/message  shadowed by 4  replaces 0..1 (2 nodes: 0,1)  ab
                        │  ├─ 0  user/message  shadowed by 3  a
                        │  └─ 1  user/message  shadowed by 3  b
                        └─ 2  user/message  shadowed by 4  c
                        cited by no event
                        on the surface: now, as itself
                        """);
    }

    @Test
    void the_tree_is_opened_so_deep_only() {
        LogBuilder log = LogBuilder.log().user("a").user("b").user("c");
        log.replace(0, 1, LogBuilder.userMessage("ab"));
        log.replace(3, 2, LogBuilder.userMessage("abc"));
        cli.done("import", LogFile.of("twice", log.events()).in(folder));

        assertThat(cli.done("explain", "twice", 4, "--depth", 1).out())
                .contains(
                        "├─ 3  user/message  shadowed by 4  replaces 0..1 (2 nodes: 0,1)  ab  (cites 2 events, --depth)\n"
                                + "└─ 2");
        assertThat(cli.run("explain", "twice", 4, "--depth", 0).exitCode()).isEqualTo(2);
        assertThat(cli.run("explain", "twice", 4, "--depth", 201).exitCode()).isEqualTo(2);
    }

    @Test
    void runs_of_what_never_joins_the_surface_are_one_line() {
        LogBuilder log = LogBuilder.log().turnStart(1).user("hi").stepStart(1);
        for (int i = 0; i < 50; i++) {
            log.chunk(StreamChunk.text(0, "x"));
        }
        log.add(
                log.assistantMessage(LogBuilder.text("x")),
                SurfaceIntent.append().citing(EventSeqs.range(3, 52)));
        cli.done("import", LogFile.of("long", log.events()).in(folder));

        assertThat(cli.done("explain", "long", 53).out()).contains("\n└─ 3-52  50 × assistant/chunk\n");
        assertThat(cli.done("explain", "long", 3).out()).isEqualTo("""
                        3  assistant/chunk  log-only  text "x"
                        cited by
                        └─ 53  assistant/message  current  x
                        on the surface: never, it is log-only
                        """);
    }

    @Test
    void long_lists_are_folded_and_what_is_opened_twice_is_named() {
        LogBuilder log = LogBuilder.log();
        for (int i = 0; i < 30; i++) {
            log.user("m" + i);
        }
        log.replace(0, 9, LogBuilder.userMessage("early"));
        long[] all = new long[31];
        Arrays.setAll(all, i -> i == 0 ? 30 : i == 1 ? 29 : i - 2L);
        log.add(LogBuilder.userMessage("all"), SurfaceIntent.replace(30, 29).citing(all));
        cli.done("import", LogFile.of("many", log.events()).in(folder));

        String folded = cli.done("explain", "many", 31, "--limit", 3).out();
        assertThat(folded)
                .contains("│  └─ … and 7 events more (--limit): 3-9\n", "└─ … and 28 events more (--limit): 1-28\n");
        assertThat(cli.done("explain", "many", 31, "--limit", 100).out().lines())
                .hasSize(1 + 31 + 10 + 2);
    }

    @Test
    void an_event_that_is_not_there_is_named() {
        assertThat(cli.failed("explain", "s", 14).err())
                .isEqualTo("there is no event 14 in session \"s\": its events run from 0 to 13.\n");
        assertThat(cli.run("explain", "s", -1).exitCode()).isEqualTo(2);
        assertThat(cli.run("explain", "s", "x").exitCode()).isEqualTo(2);
        assertThat(cli.run("explain", "s").exitCode()).isEqualTo(2);
    }
}
