package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.testing.LogBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportCommandTest {

    @TempDir
    Path folder;

    @Test
    void prints_id_events_and_nodes_of_each_file() {
        Cli cli = Cli.in(folder);
        Path one = LogFile.of("one").user("hi").user("there").in(folder, "1.jsonl");
        Path two = LogFile.of("two").event("turn/start", "{\"turn\":1}").in(folder, "2.jsonl");

        CommandRun run = cli.done("import", one, two);

        assertThat(run.out()).isEqualTo("one: 2 events, 2 nodes\ntwo: 1 event, 0 nodes\n");
        assertThat(run.err()).isEmpty();
        assertThat(cli.done("list").out().lines().skip(1).map(line -> line.substring(line.lastIndexOf(' ') + 1)))
                .containsExactly("two", "one");
    }

    @Test
    void a_log_without_events_is_a_session() {
        Cli cli = Cli.in(folder);

        assertThat(cli.done("import", LogFile.of("empty").in(folder)).out()).isEqualTo("empty: 0 events, 0 nodes\n");
        assertThat(cli.done("verify", "empty").out()).isEqualTo("empty: sound, 0 events\n");
    }

    @Test
    void says_what_the_structure_rules_find_and_imports_all_the_same() {
        Cli cli = Cli.in(folder);
        LogFile file = LogFile.of("odd");
        for (int i = 0; i < 5; i++) {
            file.event("turn/start", "{\"turn\":1}");
        }

        assertThat(cli.done("import", file.in(folder)).out())
                .isEqualTo("odd: 5 events, 0 nodes, 8 findings: turn.already-open at event 1, turn.number at event 1,"
                        + " turn.already-open at event 2, …\n");
    }

    @Test
    void another_id_can_be_given_and_the_rest_of_the_header_stays() {
        Cli cli = Cli.in(folder);
        Path file = LogFile.withHeader(
                        "{\"type\":\"session\",\"version\":0,\"id\":\"one\",\"createdAt\":7,\"cwd\":\"/w\",\"x\":[1.0]}")
                .user("hi")
                .in(folder);

        assertThat(cli.done("import", file, "--as", "json:\"a\\u0000b\"").out())
                .isEqualTo("json:\"a\\u0000b\": 1 event, 1 node\n");

        assertThat(cli.done("export", "json:\"a\\u0000b\"").out())
                .startsWith("{\"type\":\"session\",\"version\":0,\"id\":\"a\\u0000b\",\"createdAt\":7,\"cwd\":\"/w\","
                        + "\"delegationDepth\":0,\"x\":[1.0]}\n");
        assertThat(cli.done("list").out()).endsWith("  json:\"a\\u0000b\"\n");
    }

    @Test
    void another_id_is_for_one_file() {
        Cli cli = Cli.in(folder);
        Path file = LogFile.of("one").in(folder);

        CommandRun run = cli.run("import", file, file, "--as", "two");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--as names one session, so it takes one file, found 2.");
        assertThat(cli.files()).isEmpty();
    }

    @Test
    void a_file_that_is_refused_keeps_no_other_from_being_imported() {
        Cli cli = Cli.in(folder);
        Path good = LogFile.of("good").user("hi").in(folder, "good.jsonl");
        Path bad = LogFile.of("bad").user("hi").line("{}").in(folder, "bad.jsonl");
        Path last = LogFile.of("last").user("hi").in(folder, "last.jsonl");

        CommandRun run = cli.run("import", good, bad, folder.resolve("none"), good, last);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("good: 1 event, 1 node\nlast: 1 event, 1 node\n");
        assertThat(run.err().lines())
                .containsExactly(
                        bad + ": refused by envelope at line 3, event 1: expected the members type, seq, time and data,"
                                + " found an object with no members; nothing of it was imported.",
                        "There is no file " + folder.resolve("none") + ".",
                        good + ": there is a session good already; nothing was imported, --as gives it another id.");
        assertThat(cli.done("verify", "--all").out())
                .isEqualTo("what belongs to no session: sound\nlast: sound, 1 event\ngood: sound, 1 event\n");
    }

    @Test
    void the_members_of_a_row_are_refused_at_the_line_of_the_row() {
        Cli cli = Cli.in(folder);
        Path file = LogFile.of("s")
                .user("hi")
                .line("{\"type\":\"text-chunks\",\"seq0\":1,\"time0\":5,\"data\":{\"turn\":1,\"step\":1,\"index\":0,"
                        + "\"dt\":[1,1],\"texts\":[\"a\",\"b\",\"c\"]}}")
                .line("{\"type\":\"user/message\",\"seq\":9,\"time\":5,\"data\":{},\"surfaceOp\":\"append\"}")
                .in(folder);

        assertThat(cli.failed("import", file).err()).contains("at line 4, event 4:");
    }

    @Test
    void a_fault_at_an_early_line_is_told_before_one_that_cannot_be_read_further_down() {
        Cli cli = Cli.in(folder);
        Path file = LogFile.of("s").event("x/y", "{}").line("{\"broken\"").in(folder);

        assertThat(cli.failed("import", file).err()).contains("refused by type.undeclared at line 2, event 0:");
    }

    @Test
    void a_torn_record_at_the_end_is_reported_and_what_is_complete_is_kept() {
        Cli cli = Cli.in(folder);
        String whole = LogFile.of("torn").user("hi").text();
        Path file = LogFile.write(folder.resolve("torn.jsonl"), whole + "{\"type\":\"turn/sta");

        CommandRun run = cli.done("import", file);

        assertThat(run.out()).isEqualTo("torn: 1 event, 1 node\n");
        assertThat(run.err())
                .isEqualTo(file + ": the last 17 bytes, from byte " + whole.length()
                        + " on, are a torn record and were left out; kept: 1 event.\n");
    }

    @Test
    void undeclared_types_are_kept_if_asked_and_are_declared_from_then_on() {
        Cli cli = Cli.in(folder);
        Path first = LogFile.of("first")
                .event("vendor/cost", "{\"usd\":0.10}")
                .line("{\"type\":\"vendor/hint\",\"seq\":1,\"time\":5,\"data\":null,\"ignorable\":true}")
                .in(folder, "first.jsonl");
        Path second = LogFile.of("second").event("vendor/cost", "1").in(folder, "second.jsonl");
        Path third = LogFile.of("third").event("vendor/hint", "1").in(folder, "third.jsonl");

        assertThat(cli.done("import", "--keep-unknown", first).out()).isEqualTo("first: 2 events, 0 nodes\n");
        assertThat(cli.done("import", second).out()).isEqualTo("second: 1 event, 0 nodes\n");
        assertThat(cli.failed("import", third).err())
                .contains("type.undeclared")
                .contains("vendor/hint");

        assertThat(cli.done("verify", "--all").out()).contains("second: sound", "first: sound");
        assertThat(cli.done("export", "first").out()).contains("{\"usd\":0.10}");
        assertThat(cli.done("surface", "second", "--as-of", "0", "--json").out())
                .contains("\"events\":1");
    }

    @Test
    void no_type_is_declared_by_a_file_that_is_refused() {
        Cli cli = Cli.in(folder);
        cli.done("import", LogFile.of("other").in(folder, "other.jsonl"));
        Path bad = LogFile.of("s").event("vendor/cost", "1").line("{}").in(folder);

        cli.failed("import", "--keep-unknown", bad);

        Path plain = LogFile.of("s").event("vendor/cost", "1").in(folder);
        assertThat(cli.failed("import", plain).err()).contains("type.undeclared");
    }

    @Test
    void a_retired_type_is_not_kept_as_unknown() {
        Cli cli = Cli.in(folder);
        Path file = LogFile.of("s").event("mode/set", "{}").in(folder);

        assertThat(cli.failed("import", "--keep-unknown", file).err()).contains("legacy.mode-set at line 2, event 0");
    }

    @Test
    void a_log_older_than_markers_gets_them_if_asked() {
        Cli cli = Cli.in(folder);
        String unmarked = LogFile.of("old").user("hi").user("there").text().replace(",\"surfaceOp\":\"append\"", "");
        Path file = LogFile.write(folder.resolve("old.jsonl"), unmarked);

        assertThat(cli.failed("import", file).err()).contains("surface.op-missing at line 2, event 0");
        assertThat(cli.done("import", "--stamp-markers", file).out()).isEqualTo("old: 2 events, 2 nodes\n");
        assertThat(cli.done("export", "old").out()).contains("\"surfaceOp\":\"append\"");
    }

    @Test
    void a_log_with_some_markers_missing_is_refused_also_when_asked_to_stamp() {
        Cli cli = Cli.in(folder);
        String some = LogFile.of("old").user("hi").user("there").text().replaceFirst(",\"surfaceOp\":\"append\"", "");
        Path file = LogFile.write(folder.resolve("old.jsonl"), some);

        assertThat(cli.failed("import", "--stamp-markers", file).err()).contains("surface.op-missing at line 2");
    }

    @Test
    void an_import_is_no_seed_and_nothing_is_added_to_it() {
        Cli cli = Cli.in(folder);
        LogFile log = LogFile.of(
                "s", LogBuilder.log().turnStart(1).user("hi").stepStart(1).events());
        cli.done("import", log.in(folder));

        assertThat(cli.done("export", "s").out().lines()).hasSize(4);
    }
}
