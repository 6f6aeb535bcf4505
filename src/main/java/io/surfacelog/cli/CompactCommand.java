package io.surfacelog.cli;

import io.surfacelog.compaction.CompactionOutcome;
import io.surfacelog.compaction.CompactionRequest;
import io.surfacelog.event.SessionId;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compact}: has a summary take the place of old messages. */
@Command(
        name = "compact",
        description = {
            "Has a summary take the place of old messages of a session, which stay in the log and are cited.",
            "Calls and their results stay together, and what is running or has to stay in sight is left alone. Who makes the"
                    + " summary is set by surfacelog.compaction.summarizer; no model is asked unless it says so. Refused while"
                    + " the session is being compacted already."
        })
final class CompactCommand extends StoreCommand {

    @Parameters(paramLabel = "SESSION", converter = SessionIdArgument.class, description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(
            names = "--from",
            paramLabel = "SEQ",
            description = "The first message to hide (default: all that stands before the newest).")
    private @Nullable Long from;

    @Option(names = "--to", paramLabel = "SEQ", description = "The last message to hide, with --from.")
    private @Nullable Long to;

    @Option(names = "--widen", description = "Where these may not be hidden alone, hide what belongs to them too.")
    private boolean widen;

    CompactCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    void checkUsage() {
        if ((from == null) != (to == null)) {
            throw wrongUsage("Expected --from and --to together, found only one of them.");
        }
        if (widen && from == null) {
            throw wrongUsage("Expected --from and --to with --widen, found none.");
        }
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionId id = Objects.requireNonNull(session);
        CompactionOutcome outcome = store.compactions().compact(request(id));
        out.line(SessionIdArgument.typed(id) + ": " + CompactedChat.sentence(outcome));
        return !(outcome instanceof CompactionOutcome.Failed);
    }

    private CompactionRequest request(SessionId id) {
        if (from == null || to == null) {
            return CompactionRequest.now(id);
        }
        CompactionRequest range = CompactionRequest.range(id, from, to);
        return widen ? range.widened() : range;
    }
}
