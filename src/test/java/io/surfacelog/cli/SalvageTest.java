package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.testing.SharedFolder;
import io.surfacelog.transfer.ZstdFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What precedes damage is imported if asked, and what is left out is told to the byte. */
class SalvageTest {

    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "B01, 10, seq.contiguous, 8",
        "B03, 8, seq.contiguous, 6",
        "B04, 6, seq.contiguous, 4",
        "B26, 4, json.syntax, 2",
        "B29b, 3, json.lossless, 1",
        "B35, 6, seq.contiguous, 4"
    })
    void a_bug_case_gives_what_precedes_its_damage(String name, int line, String rule, int events) throws IOException {
        Path file = SharedFolder.bugCases().resolve(name + ".jsonl");
        byte[] before = Files.readAllBytes(file);
        Cli cli = Cli.in(folder);

        CommandRun run = cli.done("import", "--salvage", file, "--as", "s");

        long offset = offsetOf(before, line);
        assertThat(run.out()).startsWith("s: " + events + " events".substring(0, events == 1 ? 6 : 7) + ", ");
        assertThat(run.err())
                .startsWith(file + ": damaged, " + rule + " at line " + line)
                .contains("everything from line " + line + " on, ")
                .endsWith(" " + (before.length - offset) + " bytes from byte " + offset + " on; kept: " + events
                        + (events == 1 ? " event.\n" : " events.\n"));
        assertThat(cli.done("export", "s").out().lines().skip(1)).hasSize(line - 2);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(cli.done("verify", "s").out()).startsWith("s: sound");
    }

    private static long offsetOf(byte[] bytes, int line) {
        int at = 0;
        for (int left = line - 1; left > 0; at++) {
            left -= bytes[at] == '\n' ? 1 : 0;
        }
        return at;
    }

    @Test
    void B04_and_B35_are_cut_at_the_recorded_byte_and_closed_as_recorded() {
        for (String name : new String[] {"B04", "B35"}) {
            Path file = SharedFolder.bugCases().resolve(name + ".jsonl");

            String answer = CommandRun.of(
                            "check", "--salvage", "--no-salvage-text", "--no-orphan-answers", file.toString())
                    .answer()
                    .toText();

            assertThat(answer).as(name).contains("\"ok\":true,\"events\":4,", "\"keptBytes\":570", "\"offset\":570");
        }
    }

    @Test
    void a_row_is_never_divided() {
        Cli cli = Cli.in(folder);
        Path file = LogFile.of("s")
                .user("hi")
                .line("{\"type\":\"text-chunks\",\"seq0\":1,\"time0\":5,\"data\":{\"turn\":1,\"step\":1,\"index\":0,"
                        + "\"dt\":[1,1],\"texts\":[\"a\",\"b\",7]}}")
                .line("{\"type\":\"turn/start\",\"seq\":4,\"time\":5,\"data\":{\"turn\":1}}")
                .in(folder);

        CommandRun run = cli.done("import", "--salvage", file);

        assertThat(run.out()).isEqualTo("s: 1 event, 1 node\n");
        assertThat(run.err())
                .contains("row.members at line 3, event 1", "left out: 2 lines, everything from line 3 on");
    }

    @Test
    void a_file_without_damage_is_imported_whole_and_a_torn_tail_is_told_as_ever() throws IOException {
        Cli cli = Cli.in(folder);
        Path whole = LogFile.of("whole").user("hi").in(folder, "whole.jsonl");
        Path torn = LogFile.write(
                folder.resolve("torn.jsonl"), LogFile.of("torn").user("hi").text() + "{\"ty");

        assertThat(cli.done("import", "--salvage", whole).err()).isEmpty();
        assertThat(cli.done("import", "--salvage", torn).err())
                .contains("the last 4 bytes")
                .doesNotContain("damaged");
    }

    @Test
    void a_file_whose_header_is_damaged_has_nothing_to_salvage() {
        Cli cli = Cli.in(folder);
        Path file = LogFile.withHeader("{\"type\":\"session\"").user("hi").in(folder);

        assertThat(cli.failed("import", "--salvage", file).err()).contains("refused by json.syntax at line 1");
        assertThat(cli.files()).isEmpty();
    }

    @Test
    void an_undeclared_type_ends_what_is_kept_unless_it_is_kept_too() {
        Cli cli = Cli.in(folder);
        Path file =
                LogFile.of("s").user("hi").event("vendor/cost", "1").line("{}").in(folder);

        assertThat(cli.done("import", "--salvage", file, "--as", "one").out()).isEqualTo("one: 1 event, 1 node\n");
        assertThat(cli.done("import", "--salvage", "--keep-unknown", file, "--as", "two")
                        .out())
                .isEqualTo("two: 2 events, 1 node\n");
    }

    @Test
    void of_a_zstandard_file_the_frames_before_the_damaged_one_are_kept() throws IOException {
        Cli cli = Cli.in(folder);
        String[] lines = LogFile.of("s").user("a").user("b").user("c").text().split("(?<=\n)", -1);
        ZstdFile frames = ZstdFile.of(lines[0], lines[1], lines[2] + lines[3]);
        byte[] bytes = frames.bytes().clone();
        bytes[bytes.length - 1] ^= 1;
        Path file = Files.write(folder.resolve("log.jsonl"), bytes);

        assertThat(cli.failed("import", file).err()).contains("refused by file.frame at line 3: ");
        CommandRun run = cli.done("import", "--salvage", file);

        int offset = frames.ends().get(1);
        assertThat(run.out()).isEqualTo("s: 1 event, 1 node\n");
        assertThat(run.err())
                .contains("damaged, file.frame at line 3")
                .endsWith("left out: everything from line 3 on, " + (bytes.length - offset) + " bytes from byte "
                        + offset + " on; kept: 1 event.\n");
    }

    @Test
    void a_frame_cut_short_is_a_torn_tail() throws IOException {
        Cli cli = Cli.in(folder);
        String[] lines = LogFile.of("s").user("a").user("b").text().split("(?<=\n)", -1);
        ZstdFile frames = ZstdFile.of(lines[0], lines[1], lines[2]);
        int kept = frames.ends().get(1);
        Path file = Files.write(
                folder.resolve("log.zstd"), java.util.Arrays.copyOf(frames.bytes(), frames.bytes().length - 5));

        CommandRun run = cli.done("import", file);

        assertThat(run.err())
                .startsWith(file + ": the last " + (frames.bytes().length - 5 - kept) + " bytes, from byte " + kept
                        + " on, are a torn frame, of which only complete records were taken; kept: ");
    }

    @Test
    void a_batch_cannot_be_salvaged() {
        assertThat(CommandRun.of("check", "--batch", "-", "--salvage").exitCode())
                .isEqualTo(2);
    }
}
