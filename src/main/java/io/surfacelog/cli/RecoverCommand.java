package io.surfacelog.cli;

import io.surfacelog.command.Appended;
import io.surfacelog.command.RecoverSession;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code recover}: closes what a crash left open. */
@Command(
        name = "recover",
        description = {
            "Closes what a crash left open in a session: appends a result for each unanswered call and ends step and turn.",
            "Prints what was appended. A session that is balanced is left as it is. Refused while another process drives the"
                    + " session; of one that has ended on this machine, that is never so."
        })
final class RecoverCommand extends StoreCommand {

    @Parameters(paramLabel = "SESSION", converter = SessionIdArgument.class, description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(
            names = "--force",
            description =
                    "Also while somebody drives the session: takes the lease away, whose holder can append no more.")
    private boolean force;

    RecoverCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionId id = Objects.requireNonNull(session);
        Appended recovered = store.commands().recover(new RecoverSession(id, force));
        String name = SessionIdArgument.typed(id);
        if (recovered.events().isEmpty()) {
            out.line(name + ": nothing was open, nothing was appended");
            return true;
        }
        out.line(name + ": " + Preview.count(recovered.events().size(), "event") + " appended");
        for (SessionEvent event : recovered.events()) {
            out.line("  " + event.seq() + "  " + ShownText.line(event.type() + "  " + Preview.of(event), Table.WIDTH));
        }
        return true;
    }
}
