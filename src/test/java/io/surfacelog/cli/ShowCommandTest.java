package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.testing.LogBuilder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShowCommandTest {

    @TempDir
    Path folder;

    private Cli cli;

    /** Two questions; the first answer is streamed; the first question and its answer are replaced by a summary. */
    static List<SessionEvent> log() {
        LogBuilder log = LogBuilder.log()
                .turnStart(1)
                .user("one")
                .stepStart(1)
                .chunk(StreamChunk.text(0, "an"))
                .chunk(StreamChunk.text(0, "sw"))
                .chunk(StreamChunk.text(0, "er"))
                .assistant(LogBuilder.text("answer"))
                .stepEnd()
                .turnEnd()
                .turnStart(2)
                .user("two");
        return log.replace(1, 6, LogBuilder.userMessage("summary"))
                .stepStart(1)
                .chunk(StreamChunk.text(0, "y"))
                .events();
    }

    @BeforeEach
    void import_a_session() {
        cli = Cli.in(folder);
        cli.done("import", LogFile.of("s", log()).in(folder));
    }

    @Test
    void every_event_is_current_shadowed_or_log_only_and_says_what_it_cites() {
        List<String> rows = cli.done("show", "s").out().lines().toList();

        assertThat(rows.get(0)).matches(" *seq +type +surface +op and sources +says");
        assertThat(rows.get(1)).matches(" +0 +turn/start +log-only +turn 1");
        assertThat(rows.get(2)).matches(" +1 +user/message +shadowed by 11 +append +one");
        assertThat(rows.get(4)).matches(" +3-5 +assistant/chunk +log-only +3 chunks: answer");
        assertThat(rows.get(9)).matches(" +10 +user/message +current +append +two");
        assertThat(rows.get(10)).matches(" +11 +user/message +current +replace 1\\.\\.6 <- 1,6 +summary");
        assertThat(rows.get(12)).matches(" +13 +assistant/chunk +log-only +text \"y\"");
        assertThat(rows).hasSize(13);
    }

    @Test
    void columns_stand_below_each_other() {
        List<String> rows = cli.done("show", "s").out().lines().toList();
        int type = rows.get(0).indexOf("type");

        assertThat(rows).allSatisfy(row -> assertThat(row.charAt(type - 1)).isEqualTo(' '));
        assertThat(rows.stream().skip(1))
                .allSatisfy(row -> assertThat(row.substring(type)).matches("[a-z]+/.*"));
    }

    @Test
    void chunks_have_rows_of_their_own_if_asked() {
        assertThat(cli.done("show", "s", "--chunks").out().lines()).hasSize(15);
    }

    @Test
    void a_range_includes_both_ends() {
        assertThat(cli.done("show", "s", "--from", 4, "--to", 5).out().lines().skip(1))
                .singleElement()
                .asString()
                .matches(" +4-5 +assistant/chunk +log-only +2 chunks: swer");
        assertThat(cli.done("show", "s", "--from", 10, "--to", 99).out().lines())
                .hasSize(5);
        assertThat(cli.failed("show", "s", "--from", 14).err())
                .isEqualTo("there is no event 14 in session \"s\": its events run from 0 to 13.\n");
        assertThat(cli.run("show", "s", "--from", 5, "--to", 4).exitCode()).isEqualTo(2);
    }

    @Test
    void as_JSON_every_event_stands_whole_beside_its_state() {
        List<JsonObject> rows = cli.done("show", "s", "--json").answers();

        assertThat(rows).hasSize(14);
        assertThat(rows.get(1).toText())
                .startsWith(
                        "{\"seq\":1,\"surface\":\"shadowed\",\"shadowedBy\":11,\"event\":{\"type\":\"user/message\"");
        assertThat(rows.get(3).string("surface")).contains("log-only");
        assertThat(rows.get(11).string("surface")).contains("current");
        assertThat(rows.stream().map(row -> row.object("event").orElseThrow()))
                .isEqualTo(log().stream().map(SessionEvent::toJson).toList());
    }

    @Test
    void an_empty_log_has_no_rows() {
        cli.done("import", LogFile.of("empty").in(folder));

        assertThat(cli.done("show", "empty").out().lines()).hasSize(1);
        assertThat(cli.done("show", "empty", "--json").out()).isEmpty();
    }
}
