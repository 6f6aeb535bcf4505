package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command line in a process of its own, where the locale is that of a bare container. */
class ForkedCheckTest {

    private static final String LOG = "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1}\n"
            + "{\"type\":\"user/message\",\"seq\":0,\"time\":1,\"data\":{\"id\":\"é漢\",\"role\":\"user\",\"source\":"
            + "{\"kind\":\"user\"},\"content\":[]},\"surfaceOp\":\"append\"}\n";

    @TempDir
    Path folder;

    private record Run(int exitCode, String out, List<String> loaded) {}

    private Run run(byte[] input, String... args) throws IOException, InterruptedException {
        Path in = Files.write(folder.resolve("in"), input);
        Path out = folder.resolve("out");
        Path classes = folder.resolve("classes");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfile.encoding=US-ASCII",
                "-Xlog:class+load:file=" + classes,
                "-cp",
                System.getProperty("java.class.path"),
                "io.surfacelog.cli.Surfacelog"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), new String(Files.readAllBytes(out), UTF_8), Files.readAllLines(classes));
    }

    @Test
    void output_is_utf_8_though_the_locale_is_ascii() throws Exception {
        byte[] input = "{\"id\":\"é漢\uD83D\uDE00\",\"log\":[null]}".getBytes(UTF_8);

        Run run = run(input, "check", "--batch", "-");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).startsWith("{\"id\":\"é漢\uD83D\uDE00\",\"ok\":false,\"at\":0,");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_file_with_a_name_beyond_ascii_is_found_and_named_as_typed() throws Exception {
        // a shell types the octets; this process may have no locale to name the file in itself
        Path plain = Files.write(folder.resolve("plain.jsonl"), LOG.getBytes(UTF_8));
        Path script = Files.writeString(
                folder.resolve("script"), "cp plain.jsonl é漢.jsonl\nexec \"$@\" é漢.jsonl none-ü.jsonl\n", UTF_8);
        assertThat(plain).exists();
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        script.toString(),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        absoluteClassPath(),
                        "io.surfacelog.cli.Surfacelog",
                        "check")
                .directory(folder.toFile())
                .redirectOutput(out.toFile());
        builder.environment().put("LC_ALL", "C");

        Process process = builder.start();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        List<String> answers = Files.readAllLines(out, UTF_8);
        assertThat(answers).hasSize(2);
        assertThat(answers.get(0))
                .startsWith("{\"file\":\"é漢.jsonl\",\"ok\":true,")
                .contains("\"messages\":[\"é漢\"]");
        assertThat(((JsonObject) Json.parse(answers.get(1))).string("message"))
                .contains("There is no file none-ü.jsonl.");
    }

    private static String absoluteClassPath() {
        List<String> parts = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
            parts.add(Path.of(part).toAbsolutePath().toString());
        }
        return String.join(java.io.File.pathSeparator, parts);
    }

    @Test
    void no_command_that_needs_no_store_loads_a_class_of_spring() throws Exception {
        for (String command : List.of("check --batch -", "--version", "--help")) {
            Run run = run("{\"id\":1,\"log\":[]}\n".getBytes(UTF_8), command.split(" ", -1));

            assertThat(run.exitCode()).as(command).isZero();
            assertThat(run.out()).as(command).isNotEmpty();
            assertThat(run.loaded())
                    .as(command)
                    .noneMatch(line -> line.contains("org.springframework") || line.contains("org.sqlite"));
        }
    }
}
