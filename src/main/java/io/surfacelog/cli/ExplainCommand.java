package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code explain}: where an event comes from and what became of it. */
@Command(
        name = "explain",
        description = {
            "Explains an event: what it was made of, as a tree; what was made of it; and what took its place on the"
                    + " surface, up to what the model sees now."
        })
final class ExplainCommand extends StoreCommand {

    /** Deeper than anybody can read, and nothing for the stack. */
    private static final int DEEPEST = 200;

    @Parameters(
            index = "0",
            paramLabel = "SESSION",
            converter = SessionIdArgument.class,
            description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Parameters(index = "1", paramLabel = "SEQ", description = "The event.")
    private long seq;

    @Option(
            names = "--depth",
            paramLabel = "N",
            defaultValue = Explanation.DEPTH,
            description = "How many levels of sources are opened, from 1 to 200 (default: ${DEFAULT-VALUE}).")
    private int depth;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = Explanation.LIMIT,
            description =
                    "How many lines a list may have before the rest is folded, from 1 (default: ${DEFAULT-VALUE}).")
    private int limit;

    ExplainCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    void checkUsage() {
        if (seq < 0 || depth < 1 || depth > DEEPEST || limit < 1) {
            throw wrongUsage("Expected a seq from 0, a --depth from 1 to " + DEEPEST + " and a --limit from 1, found "
                    + seq + ", " + depth + " and " + limit + ".");
        }
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionId id = Objects.requireNonNull(session);
        new Explanation(store, id, depth, limit).print(seq, out, Ink.isWanted());
        return true;
    }
}
