package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Surfacelog.class.getName(),
                        "--db",
                        database(folder).toString(),
                        "acp"))
                .directory(folder.toFile())
                .redirectError(err.toFile());
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

    /** Lets nobody read its standard output any more. */
    void closeOutput() throws IOException {
        process.getInputStream().close();
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
