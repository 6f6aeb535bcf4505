package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.testing.LogBuilder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code list}, {@code messages}, {@code surface} and {@code recover}. */
class ViewCommandsTest {

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void import_a_session() {
        cli = Cli.in(folder);
        cli.done("import", LogFile.of("s", ShowCommandTest.log()).in(folder));
    }

    @Test
    void list_shows_the_newest_first_and_only_so_many_that_contain_a_text() {
        cli.done(
                "import",
                LogFile.of("order-1").in(folder, "1"),
                LogFile.of("order-2").in(folder, "2"),
                LogFile.of("order-3").in(folder, "3"));

        assertThat(ids("list")).containsExactly("order-3", "order-2", "order-1", "s");
        assertThat(ids("list", "--contains", "order")).containsExactly("order-3", "order-2", "order-1");
        assertThat(ids("list", "--contains", "json:\"\\u006frder-2\"")).containsExactly("order-2");
        assertThat(ids("list", "--limit", 2)).containsExactly("order-3", "order-2");
        assertThat(cli.done("list", "--limit", 2).err())
                .isEqualTo("There are more sessions; --limit shows more of them.\n");
        assertThat(cli.done("list", "--limit", 4).err()).isEmpty();
        assertThat(cli.run("list", "--limit", 0).exitCode()).isEqualTo(2);
        assertThat(cli.done("list").out()).contains("2026-09-21 14:13         14                 4  s\n");
    }

    private List<String> ids(Object... args) {
        return cli.done(args)
                .out()
                .lines()
                .skip(1)
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .toList();
    }

    @Test
    void messages_are_those_the_model_sees() {
        assertThat(cli.done("messages", "s").out())
                .isEqualTo("11  user  (user)\n    summary\n10  user  (user)\n    two\n");
    }

    @Test
    void messages_as_of_an_event_are_those_it_saw_then() {
        assertThat(cli.done("messages", "s", "--as-of", 6).out())
                .startsWith("1  user  (user)\n    one\n6  assistant  (model ")
                .endsWith("\n    answer\n");
        assertThat(cli.done("messages", "s", "--as-of", 0).out()).isEmpty();
        assertThat(cli.failed("messages", "s", "--as-of", 99).err())
                .isEqualTo("there is no event 99 in session \"s\": its events run from 0 to 13.\n");
        assertThat(cli.failed("messages", "s", "--as-of", -1).err()).contains("there is no event -1");
    }

    @Test
    void messages_as_JSON_are_verbatim() {
        assertThat(cli.done("messages", "s", "--json").answers().stream().map(Object::toString))
                .hasSize(2)
                .allMatch(line -> line.contains("\"role\":\"user\""));
        SessionEvent question = ShowCommandTest.log().get(10);
        assertThat(cli.done("messages", "s", "--json").out().lines().toList().get(1))
                .isEqualTo(question.data().text());
    }

    @Test
    void messages_are_whole_whatever_their_blocks() {
        LogBuilder log = LogBuilder.log()
                .turnStart(1)
                .user("first\nsecond")
                .stepStart(1)
                .assistant(LogBuilder.text("let me see"), LogBuilder.call("c1"))
                .toolCall("c1")
                .toolResult("c1");
        cli.done("import", LogFile.of("blocks", log.events()).in(folder));

        assertThat(cli.done("messages", "blocks").out())
                .contains("    first\n    second\n", "    let me see\n    ⚙ read({})  c1\n", "(tool c1)\n");
    }

    @Test
    void surface_shows_the_nodes_in_their_order() {
        List<String> lines = cli.done("surface", "s").out().lines().toList();

        assertThat(lines.get(0)).isEqualTo("14 events, 2 nodes, 2 messages, 1 replace");
        assertThat(lines.get(2)).matches(" *11 +user/message +replace 1\\.\\.6 <- 1,6 +summary");
        assertThat(lines.get(3)).matches(" *10 +user/message +append +two");
    }

    @Test
    void surface_as_JSON_speaks_as_check_does() {
        assertThat(cli.done("surface", "s", "--json").out())
                .isEqualTo("{\"events\":14,\"nodes\":[11,10],\"generation\":1,\"messageSeqs\":[11,10],"
                        + "\"requestHeader\":null,\"requestContext\":null,\"findings\":[]}\n");
        assertThat(cli.done("surface", "s", "--as-of", 6, "--json").out())
                .isEqualTo("{\"events\":7,\"nodes\":[1,6],\"generation\":0,\"messageSeqs\":[1,6],"
                        + "\"requestHeader\":null,\"requestContext\":null}\n");
    }

    @Test
    void surface_names_findings() {
        cli.done(
                "import",
                LogFile.of("odd")
                        .event("turn/end", "{\"turn\":1,\"reason\":{\"kind\":\"x\"}}")
                        .in(folder));
        cli.done(
                "import", LogFile.of("odd2").event("turn/start", "{\"turn\":7}").in(folder));

        assertThat(cli.done("surface", "odd2").out()).contains("finding: turn.number at event 0: ");
    }

    @Test
    void recover_closes_what_is_open_and_says_so_and_does_nothing_twice() {
        LogBuilder log = LogBuilder.log()
                .turnStart(1)
                .user("hi")
                .stepStart(1)
                .assistant(LogBuilder.call("c1"))
                .toolCall("c1");
        cli.done("import", LogFile.of("crashed", log.events()).in(folder));

        assertThat(cli.done("recover", "crashed").out().lines())
                .hasSize(4)
                .startsWith("crashed: 3 events appended")
                .endsWith("  7  turn/end  turn 1 interrupted");
        assertThat(cli.done("recover", "crashed").out()).isEqualTo("crashed: nothing was open, nothing was appended\n");
        assertThat(cli.done("show", "crashed", "--from", 5).out()).contains("TOOL_OUTCOME_UNKNOWN");
        assertThat(cli.done("verify", "crashed").out()).isEqualTo("crashed: sound, 8 events\n");
    }

    @Test
    void an_intent_without_sources_differs_from_one_with_none() {
        assertThat(EventRows.intent(SurfaceIntent.append())).isEqualTo("append");
        assertThat(EventRows.intent(SurfaceIntent.append().citing())).isEqualTo("append <- none");
        assertThat(EventRows.intent(SurfaceIntent.replace(3, 2).citing(2, 3, 9, 10, 11)))
                .isEqualTo("replace 3..2 <- 2,3,9-11");
    }
}
