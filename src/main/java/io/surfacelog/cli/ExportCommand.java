package io.surfacelog.cli;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.transfer.JsonlWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
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
            "It holds what the session held when the export began; what is appended meanwhile is left out."
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

    @Option(names = "--zstd", description = "Write Zstandard frames; done unasked if the name of FILE ends in .zstd.")
    private boolean zstd;

    ExportCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    void checkUsage() {
        if (force && file == null) {
            throw wrongUsage("--force is for --output.");
        }
        if (zstd && file == null && Ink.isWanted()) {
            throw wrongUsage("--zstd is for a file or a pipe, not for a terminal.");
        }
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionId id = Objects.requireNonNull(session);
        EventStore events = store.store();
        // an unknown session or one that cannot be read is told before a file is begun
        StoredSession seen = events.find(id).orElseThrow(() -> new UnknownSessionException(id));
        if (file != null) {
            boolean frames = zstd || file.toLowerCase(Locale.ROOT).endsWith(".zstd");
            OutputFile.write(file, force, target -> write(events, seen, frames, target));
        } else {
            write(events, seen, zstd, Ink.isWanted() ? new TerminalFilter(out) : out);
        }
        return true;
    }

    /** Writes the log up to the tail that was seen, and closes the stream. Memory stays flat. */
    static void write(EventStore events, StoredSession seen, boolean zstd, OutputStream out) throws IOException {
        try (JsonlWriter writer =
                zstd ? JsonlWriter.openZstd(out, seen.header()) : JsonlWriter.open(out, seen.header())) {
            events.forEach(seen.id(), EventRange.of(0, seen.nextSeq()), event -> write(event, writer));
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
