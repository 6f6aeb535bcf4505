package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program without a command, in a process of its own, as a person would start it. */
class SampleRunTest {

    @TempDir
    private Path directory;

    @Test
    void the_first_run_imports_and_recovers_the_sample_and_the_second_finds_it() throws Exception {
        Output first = run();

        assertThat(first.exitCode).as(first.errors).isZero();
        assertThat(first.errors).isEmpty();
        assertThat(first.lines.get(0)).startsWith("Database: ").endsWith("surfacelog.db");
        assertThat(first.lines.get(1)).startsWith("Imported: session sample-parcel-support with 278 events");
        assertThat(first.lines.get(2)).startsWith("Recovery: the log broke off").endsWith("4 events");
        assertThat(directory.resolve("data/surfacelog.db")).exists();

        assertShowsTheThreeViews(first);

        Output second = run();

        assertThat(second.exitCode).as(second.errors).isZero();
        assertThat(second.lines.get(1))
                .isEqualTo("Found:    session sample-parcel-support with 282 events; nothing was imported");
        assertThat(second.lines.get(2)).isEqualTo("Recovery: nothing was left open");
        assertThat(second.views()).isEqualTo(first.views());
    }

    @Test
    void a_settings_file_in_the_working_directory_counts() throws Exception {
        Files.writeString(directory.resolve("surfacelog.properties"), "surfacelog.sqlite.path=set/by-file.db\n");

        assertThat(run().exitCode).isZero();
        assertThat(directory.resolve("set/by-file.db")).exists();
        assertThat(directory.resolve("data")).doesNotExist();
    }

    @Test
    void the_database_may_be_named() {
        Path database = directory.resolve("elsewhere/sessions.db");

        CommandRun run = CommandRun.of("--no-serve", "--db", database.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(database).exists();
    }

    @Test
    void a_file_that_is_no_database_of_ours_is_refused_in_one_sentence() throws Exception {
        Path foreign = Files.writeString(directory.resolve("notes.txt"), "not a database, but long enough to look\n");

        CommandRun run = CommandRun.of("--no-serve", "--db", foreign.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains("notes.txt");
        assertThat(foreign).content().startsWith("not a database");
    }

    private static void assertShowsTheThreeViews(Output output) {
        assertThat(output.views()).allSatisfy(line -> {
            assertThat(ShownText.width(line)).as(line).isLessThanOrEqualTo(Table.WIDTH);
            assertThat(line).doesNotContain("\u001B");
        });
        assertThat(output.lines)
                .anyMatch(line -> line.startsWith("TRANSCRIPT  what a person saw: 27 messages, 14 no longer seen"))
                .anyMatch(line -> line.startsWith("SURFACE  what the model sees: 15 nodes of 282 events"))
                .anyMatch(line -> line.startsWith("MODEL MESSAGES  what the model is sent: 15 messages"))
                .anyMatch(line -> line.matches("░ +1  user +Good morning! .*…"))
                .anyMatch(line -> line.matches("◆ +180  plugin compact +replaces 1…120, hiding 13 nodes: 1,3,.*"))
                .anyMatch(line -> line.matches("◆ +175  tool/result +146,174 +Conditions of delivery⏎.*"))
                .anyMatch(line -> line.matches(" +212  assistant/message +204-211 +\\(interrupted\\) The fee .*"))
                .anyMatch(line -> line.matches(" +278  user +call-7 +277 +✗ The process was interrupted .*"));
    }

    private Output run() throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Surfacelog.class.getName(),
                "--no-serve");
        Path out = Files.createTempFile(directory, "out", ".txt");
        Path err = Files.createTempFile(directory, "err", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return new Output(process.exitValue(), Files.readAllLines(out, StandardCharsets.UTF_8), Files.readString(err));
    }

    private record Output(int exitCode, List<String> lines, String errors) {

        /** From the first view to the end. */
        List<String> views() {
            int from = lines.indexOf("");
            assertThat(from).isPositive();
            return lines.subList(from, lines.size());
        }
    }
}
