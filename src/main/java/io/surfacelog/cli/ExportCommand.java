package io.surfacelog.cli;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.transfer.JsonlWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code export}: writes a session's log as a file that {@code import} takes. */
@Command(
        name = "export",
        description = {
            "Writes the log of a session as JSONL, runs of stream deltas packed into rows.",
            "What is appended meanwhile may be left out, but never anything before something that is in."
        })
final class ExportCommand extends StoreCommand {

    @Parameters(paramLabel = "SESSION", converter = SessionIdArgument.class, description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The file to write, as a whole or not at all; standard output unless named.")
    private @Nullable String file;

    @Option(names = "--force", description = "Replace the file if it is there.")
    private boolean force;

    ExportCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    void checkUsage() {
        if (force && file == null) {
            throw wrongUsage("--force is for --output.");
        }
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionId id = Objects.requireNonNull(session);
        SessionQueries queries = store.queries();
        // an unknown session or one that cannot be opened is told before a file is begun
        queries.header(id);
        if (file != null) {
            OutputFile.write(file, force, target -> write(queries, id, target));
        } else {
            write(queries, id, Ink.isWanted() ? new TerminalFilter(out) : out);
        }
        return true;
    }

    /** Writes the log and closes the stream. Memory stays flat. */
    static void write(SessionQueries queries, SessionId id, OutputStream out) throws IOException {
        try (JsonlWriter writer = JsonlWriter.open(out, queries.header(id))) {
            queries.forEach(id, event -> write(event, writer));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void write(SessionEvent event, JsonlWriter writer) {
        try {
            writer.write(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
