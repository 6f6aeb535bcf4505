package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command {@code acp} in a process of its own, on a database in this folder. */
final class AcpProcess implements AutoCloseable {

    private final Process process;
    private final Path err;
    private final AcpClient client;

    private AcpProcess(Process process, Path err) {
        this.process = process;
        this.err = err;
        this.client = new AcpClient(process.getOutputStream(), process.getInputStream());
    }

    static Path database(Path folder) {
        return folder.resolve("store").resolve("log.db");
    }

    static AcpProcess start(Path folder) throws IOException {
        return start(folder, command(folder));
    }

    /** With another command that reads what it says and hands it on; the process ends with the exit code of acp. */
    static AcpProcess startReadBy(Path folder, String reader) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("bash", "-c", "\"$@\" | " + reader + "; exit ${PIPESTATUS[0]}", "acp"));
        command.addAll(command(folder));
        return start(folder, command);
    }

    private static List<String> command(Path folder) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Surfacelog.class.getName(),
                "--db",
                database(folder).toString(),
                "acp");
    }

    private static AcpProcess start(Path folder, List<String> command) throws IOException {
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(err.toFile());
        // a model of whoever runs the tests is none of theirs
        builder.environment().keySet().removeIf(name -> name.startsWith("OPENAI_") || name.startsWith("SURFACELOG_"));
        return new AcpProcess(builder.start(), err);
    }

    AcpClient client() {
        return client;
    }

    long pid() {
        return process.pid();
    }

    /** As the kernel would. */
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("it did not end; standard error: " + err());
        }
        return process.exitValue();
    }

    String err() {
        try {
            return Files.readString(err, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
