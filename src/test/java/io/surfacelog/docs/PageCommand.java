package io.surfacelog.docs;

import static org.awaitility.Awaitility.await;

import io.surfacelog.docs.Documents.Block;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** The commands of one block of a page, run by one shell. Every wait has a bound, after which they are stopped. */
final class PageCommand {

    /** Says which command of the block it was. */
    private static final String SHELL = """
            set -Eeuo pipefail
            trap 'echo "walk: exit code $? of: $BASH_COMMAND" >&2' ERR
            """;

    private static final Duration STOPPING = Duration.ofSeconds(30);

    private final Block block;
    private final String code;
    private final Path out;
    private final Duration bound;
    private final Process process;

    private PageCommand(Block block, String code, Path out, Duration bound, Process process) {
        this.block = block;
        this.code = code;
        this.out = out;
        this.bound = bound;
        this.process = process;
    }

    /** Begins to run the code, which is that of the block. */
    static PageCommand begin(
            Block block, String code, Path directory, Map<String, String> environment, Duration bound) {
        try {
            Path out = Files.createTempFile("walk", ".txt");
            out.toFile().deleteOnExit();
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", SHELL + code)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile());
            builder.environment().putAll(environment);
            return new PageCommand(block, code, out, bound, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(block + ": " + code, e);
        }
    }

    /** Waits for the end, which has to be a good one. */
    void finish() throws InterruptedException {
        end();
        if (process.exitValue() != 0) {
            throw failed("expected exit code 0, found " + process.exitValue());
        }
    }

    /** Waits for the end, good or bad. */
    void end() throws InterruptedException {
        if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
            throw failed("expected an end within " + bound);
        }
    }

    /** Waits for these lines, in which {@code …} is anything, in this order; others may stand between them. */
    void prints(String lines) {
        try {
            await().atMost(bound).until(() -> {
                boolean ended = !process.isAlive();
                return missing(lines).isEmpty() || ended;
            });
        } catch (ConditionTimeoutException e) {
            throw failed("expected within " + bound + " the line: " + missing(lines));
        }
        if (!missing(lines).isEmpty()) {
            throw failed("expected the line: " + missing(lines));
        }
    }

    /** The first of the lines that was not printed behind those before it; empty if all were. */
    private String missing(String lines) {
        List<String> printed = printed().lines().toList();
        int from = 0;
        for (String line : lines.lines().toList()) {
            Pattern pattern = Pattern.compile(Arrays.stream(line.strip().split("…", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*")));
            while (from < printed.size()
                    && !pattern.matcher(printed.get(from).strip()).matches()) {
                from++;
            }
            if (from++ >= printed.size()) {
                return line;
            }
        }
        return "";
    }

    String printed() {
        try {
            // Maven resets colours even where it is told to use none
            return new String(Files.readAllBytes(out), StandardCharsets.UTF_8).replaceAll("\\x1b\\[[0-9;]*m", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends what is still running, which has to be there; waits until nothing of it is left. */
    void interrupt() {
        boolean alive = process.isAlive();
        boolean stopped = stop();
        if (!alive) {
            throw failed("expected it to run until it is stopped, found exit code " + process.exitValue());
        }
        if (!stopped) {
            throw failed("expected an end within " + STOPPING + " of being asked for it");
        }
    }

    /** Ends whatever is left of it, by force if need be; whether it took none. */
    boolean stop() {
        // the service before the build that has started it, as a terminal would tell both
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        try {
            await().atMost(STOPPING).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
            return true;
        } catch (ConditionTimeoutException e) {
            all.forEach(ProcessHandle::destroyForcibly);
            return false;
        }
    }

    AssertionError failed(String why) {
        String found = printed();
        stop();
        return new AssertionError("%s: %s%n%s%nIt printed:%n%s".formatted(block, why, code.indent(4), found));
    }
}
