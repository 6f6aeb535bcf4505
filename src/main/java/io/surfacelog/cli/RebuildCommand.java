package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.UnknownSessionException;
import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rebuild}: throws checkpoints away and makes new ones. */
@Command(
        name = "rebuild",
        description = {
            "Throws the checkpoints of a session away and makes a new one, by a fold of its whole log.",
            "No log is changed. Without checkpoints every answer is the same, only the first takes longer."
        },
        exitCodeList = {"0:every session was rebuilt", "1:a log cannot be read, or something failed", ExitCodes.USAGE})
final class RebuildCommand extends StoreCommand {

    @Parameters(
            arity = "0..1",
            paramLabel = "SESSION",
            converter = SessionIdArgument.class,
            description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(names = "--all", description = "Every session.")
    private boolean all;

    RebuildCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    void checkUsage() {
        if (all == (session != null)) {
            throw wrongUsage("Expected either a session or --all.");
        }
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionVerifier verifier = store.verifier();
        if (!all) {
            rebuild(Objects.requireNonNull(session), verifier, out);
            return true;
        }
        return AllSessions.each(store.queries(), out, " was left out", id -> listed(id, verifier, out));
    }

    private static boolean listed(SessionId id, SessionVerifier verifier, Output out) throws IOException {
        try {
            rebuild(id, verifier, out);
            return true;
        } catch (DamagedStoreException | UnknownSessionException e) {
            out.line(SessionIdArgument.typed(id) + ": left as it was");
            out.line("  fault: " + ShownText.visible(Failure.sentence(e)));
            return false;
        }
    }

    private static void rebuild(SessionId id, SessionVerifier verifier, Output out) throws IOException {
        OptionalLong events = verifier.rebuild(id);
        out.line(SessionIdArgument.typed(id) + ": "
                + (events.isPresent()
                        ? "checkpoint after " + Preview.count(events.getAsLong(), "event")
                        : "no checkpoint, this store keeps none of it"));
        out.flush();
    }
}
