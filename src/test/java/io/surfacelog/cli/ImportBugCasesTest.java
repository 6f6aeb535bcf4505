package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults that others have reported, through the import: what is refused leaves no session, what is not comes back whole. */
class ImportBugCasesTest {

    @TempDir
    Path folder;

    private Path cases;

    @BeforeEach
    void find_the_cases() {
        cases = SharedFolder.bugCases();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "B01|seq.contiguous at line 10, event 8: expected seq 8, found 5",
                "B03|seq.contiguous at line 8, event 6: expected seq 6, found 3",
                "B04|seq.contiguous at line 6, event 4: expected seq 4, found 6",
                "B06|type.undeclared at line 10, event 8: expected a declared type, found \"vendor-cost/usage\"",
                "B08|head.version at line 1: expected version 0, found 3",
                "B09a|surface.op-bad-replace at line 8, event 6: ",
                "B09b|surface.op-bad-replace at line 8, event 6: ",
                "B09c|surface.op-bad-replace at line 8, event 6: ",
                "B09d|surface.op-bad-replace at line 8, event 6: ",
                "B26|json.syntax at line 4: ",
                "B29a|json.lossless at line 3, event 1: ",
                "B29b|json.lossless at line 3, event 1: ",
                "B35|seq.contiguous at line 6, event 4: "
            })
    void what_is_wrong_is_refused_and_leaves_no_session(String name, String sentence) {
        Path file = cases.resolve(name + ".jsonl");
        Cli cli = Cli.in(folder);

        assertThat(cli.failed("import", file).err()).startsWith(file + ": refused by " + sentence);
        assertThat(cli.files()).isEmpty();
        cli.done("import", LogFile.of("there").in(folder));
        assertThat(cli.failed("import", file).err()).startsWith(file + ": refused by " + sentence);
        assertThat(cli.done("list").out().lines()).hasSize(2);
    }

    @ParameterizedTest(name = "{0}: {1} events, surface {2}")
    @CsvSource(
            delimiter = '|',
            value = {"B21|4|[2,3]", "B23|3|[2]", "B25|8|[2,3,5]", "B25b|6|[2,3]", "B49|11|[4,8]"})
    void what_is_right_is_imported_and_comes_back(String name, long events, String nodes) throws IOException {
        Path file = cases.resolve(name + ".jsonl");
        Cli cli = Cli.in(folder);

        cli.done("import", file, "--as", name);

        assertThat(cli.done("surface", name, "--json").out())
                .startsWith("{\"events\":" + events + ",\"nodes\":" + nodes + ",");
        Path exported = folder.resolve("exported.jsonl");
        cli.done("export", name, "--output", exported);
        RoundTripTest.sameEvents(file, exported);
        assertThat(cli.done("verify", name).out()).startsWith(name + ": sound, " + events + " events");
    }

    @ParameterizedTest
    @CsvSource({"B21, 670, 64, 4", "B23, 427, 222, 3"})
    void torn_tails_are_told_with_place_and_length(String name, long offset, long length, int events) {
        Path file = cases.resolve(name + ".jsonl");

        assertThat(Cli.in(folder).done("import", file).err())
                .isEqualTo(file + ": the last " + length + " bytes, from byte " + offset
                        + " on, are a torn record and were left out; kept: " + events + " events.\n");
    }

    @Test
    void B06_is_kept_as_an_opaque_record_if_asked() {
        Cli cli = Cli.in(folder);

        assertThat(cli.done("import", "--keep-unknown", cases.resolve("B06.jsonl"), "--as", "b06")
                        .out())
                .startsWith("b06: 9 events");
        assertThat(cli.done("show", "b06", "--from", 8).out()).contains("vendor-cost/usage", "log-only");
    }

    @Test
    void B08_is_not_changed_by_the_attempt() throws IOException {
        byte[] before = Files.readAllBytes(cases.resolve("B08.jsonl"));

        assertThat(Cli.in(folder).failed("import", cases.resolve("B08.jsonl")).err())
                .contains("newer version")
                .doesNotContain("corrupt", "damaged");
        assertThat(Files.readAllBytes(cases.resolve("B08.jsonl"))).isEqualTo(before);
    }

    @Test
    void B29_numbers_come_back_digit_for_digit() throws IOException {
        String log = Files.readString(cases.resolve("B29a.jsonl"), StandardCharsets.UTF_8)
                .replace("\"neg\":-0,", "");
        Path file = LogFile.write(folder.resolve("B29.jsonl"), log);
        Cli cli = Cli.in(folder);

        cli.done("import", file, "--as", "b29");

        assertThat(cli.done("export", "b29").out().lines().skip(1).toList())
                .isEqualTo(log.lines().skip(1).toList());
    }

    @Test
    void B49_keeps_what_it_does_not_know() {
        Cli cli = Cli.in(folder);
        cli.done("import", cases.resolve("B49.jsonl"), "--as", "b49");

        assertThat(cli.done("export", "b49").out())
                .contains("\"origin\":\"default\"", "\"version\":2", "reasoning-chunks");
    }
}
