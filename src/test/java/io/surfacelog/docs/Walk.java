package io.surfacelog.docs;

import io.surfacelog.docs.Documents.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows pages as a newcomer does, block by block. What takes part has the word {@code walk} behind its language:
 *
 * <ul>
 *   <li>{@code sh walk}: commands, run to their end, which has to be a good one;
 *   <li>{@code sh walk until-stopped}: a command that is left running, until the next one of this kind or {@link #close()};
 *   <li>{@code console walk}: commands, each behind a {@code $} and followed by lines that it prints; it may be shown to fail;
 *   <li>{@code text walk}: lines that the commands before it print;
 *   <li>any other language: a file, of which the line before ends with the name, as <code>`pom.xml`:</code>.
 * </ul>
 *
 * <p>Nothing of a page is typed a second time, and nothing of it is changed but a port that is taken. Confined to one
 * thread.
 */
final class Walk implements AutoCloseable {

    private static final String MARK = "walk";
    private static final String RUNS_ON = "walk until-stopped";
    private static final Pattern FILE_NAME = Pattern.compile("`([\\w.-]+(?:/[\\w.-]+)*)`:$");

    private final Map<String, String> environment;
    private final UnaryOperator<String> adapted;
    private final Duration bound;
    private Optional<PageCommand> running = Optional.empty();
    private Optional<PageCommand> latest = Optional.empty();

    /**
     * @param environment what the commands find in it besides what this process does
     * @param adapted what has to be other than the page says, on a machine where a port is taken
     * @param bound how long a command may take, and how long a running one may take to print what is expected
     */
    Walk(Map<String, String> environment, UnaryOperator<String> adapted, Duration bound) {
        this.environment = environment;
        this.adapted = adapted;
        this.bound = bound;
    }

    /** Follows a page in a directory, which is made if need be. */
    void follow(Path page, Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        int walked = 0;
        for (Block block : Documents.blocks(page)) {
            if (block.mark().equals(MARK) || block.mark().equals(RUNS_ON)) {
                walk(block, directory);
                walked++;
            } else if (!block.mark().isEmpty() && !block.language().equals("java")) { // SnippetsTest has marks there
                throw new AssertionError(block + ": expected no mark, '" + MARK + "' or '" + RUNS_ON + "', found '"
                        + block.mark() + "'");
            }
        }
        if (walked == 0) {
            throw new AssertionError(page + ": expected blocks marked '" + MARK + "', found none");
        }
    }

    private void walk(Block block, Path directory) throws IOException, InterruptedException {
        String code = adapted.apply(block.code());
        switch (block.language()) {
            case "sh" -> run(block, code, directory);
            case "console" -> converse(block, code, directory);
            case "text" ->
                latest.orElseThrow(() -> new AssertionError(block + ": expected a command before it"))
                        .prints(code);
            default -> write(block, directory);
        }
    }

    private void run(Block block, String code, Path directory) throws InterruptedException {
        boolean runsOn = block.mark().equals(RUNS_ON);
        if (runsOn) {
            stop();
        }
        System.out.print(block + "\n" + code.indent(4));
        PageCommand command = PageCommand.begin(block, code, directory, environment, bound);
        latest = Optional.of(command);
        if (runsOn) {
            running = latest;
        } else {
            command.finish();
        }
    }

    private void converse(Block block, String code, Path directory) throws InterruptedException {
        for (String exchange : code.split("(?m)^\\$ ", -1)) {
            if (!exchange.isEmpty()) {
                int end = exchange.indexOf('\n');
                System.out.print(block + "\n" + exchange.substring(0, end).indent(4));
                PageCommand command =
                        PageCommand.begin(block, exchange.substring(0, end), directory, environment, bound);
                latest = Optional.of(command);
                command.end();
                command.prints(exchange.substring(end + 1));
            }
        }
    }

    private static void write(Block block, Path directory) throws IOException {
        Matcher name = FILE_NAME.matcher(block.before());
        if (!name.find()) {
            throw new AssertionError(
                    block + ": expected the name of a file at the end of the line before, as `pom.xml`:, found: "
                            + block.before());
        }
        Path file = directory.resolve(name.group(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, block.code());
    }

    /** What the first group of the pattern is in what the running command has printed. */
    String printed(Pattern pattern) {
        PageCommand command = running.orElseThrow(() -> new AssertionError("expected a running command, found none"));
        Matcher matcher = pattern.matcher(command.printed());
        if (!matcher.find()) {
            throw command.failed("expected " + pattern);
        }
        return matcher.group(1);
    }

    /** Stops what is running, as Ctrl-C would. */
    void stop() {
        Optional<PageCommand> stopped = running;
        running = Optional.empty();
        stopped.ifPresent(PageCommand::interrupt);
    }

    /** Ends whatever is left, as after a failure. */
    @Override
    public void close() {
        latest.ifPresent(PageCommand::stop);
        running.ifPresent(PageCommand::stop);
    }
}
