package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A terminal in which a program runs, as a person would have it. */
final class Tmux implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path socket;

    private Tmux(Path socket) {
        this.socket = socket;
    }

    /** Starts the command in a terminal of 160 columns. */
    static Tmux start(Path directory, String command) throws IOException {
        Tmux tmux = new Tmux(directory.resolve("tmux"));
        tmux.run("-f", "/dev/null", "-u", "new-session", "-d", "-x", "160", "-y", "50", command);
        return tmux;
    }

    /** What stands on the screen. */
    String screen() {
        try {
            return run("capture-pane", "-p", "-J");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitScreen(String text) {
        try {
            Awaitility.await().atMost(PATIENCE).until(() -> screen().contains(text));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("expected \"" + text + "\" on the screen, found:\n" + screen(), e);
        }
    }

    /** Types keys, by the names that tmux has for them. */
    void type(String... keys) throws IOException {
        List<String> args = new ArrayList<>(List.of("send-keys"));
        args.addAll(List.of(keys));
        run(args.toArray(String[]::new));
    }

    private String run(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of("tmux", "-S", socket.toString()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        // it has closed its output, so that it is about to end
        if (process.onExit().join().exitValue() != 0) {
            throw new AssertionError("tmux " + List.of(args) + " failed: " + said);
        }
        return said;
    }

    @Override
    public void close() throws IOException {
        run("kill-server");
    }
}
