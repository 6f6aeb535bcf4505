package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A process of its own that drives a session, in the middle of a turn, until it is killed. */
final class DriverProcess implements AutoCloseable {

    private static final String DRIVING = "driving";

    private final Process process;

    private DriverProcess(Process process) {
        this.process = process;
    }

    /** Returns when the process has the lease. */
    static DriverProcess start(Path database, SessionId session) throws IOException {
        StringBuilder classPath = new StringBuilder();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            classPath.append(Path.of(part).toAbsolutePath()).append(File.pathSeparator);
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath.toString(),
                        DriverProcess.class.getName(),
                        database.toString(),
                        session.value())
                .redirectErrorStream(true)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.equals(DRIVING)) {
                return new DriverProcess(process);
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("the process ended instead of driving: " + said);
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL; returns when it is dead. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    /** What the process runs. */
    public static void main(String[] args) throws IOException {
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(Path.of(args[0])));
                CommandStack stack =
                        CommandStack.on(store).lease(Duration.ofHours(1)).start();
                DriverLease driver = stack.commands.drive(SessionId.of(args[1]))) {
            driver.append(TurnStart.of(1));
            System.out.println(DRIVING);
            if (System.in.read() >= 0) {
                throw new IOException("nobody was to say anything");
            }
        }
    }
}
