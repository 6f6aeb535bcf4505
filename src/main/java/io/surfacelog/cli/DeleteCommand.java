package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.SessionRemoval;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code delete}: removes a session. */
@Command(
        name = "delete",
        description = {
            "Removes a session. Forks of it keep the events they share.",
            "Bytes of it may be left in the file until they are written over; erase leaves none."
        })
final class DeleteCommand extends StoreCommand {

    @Parameters(paramLabel = "SESSION", converter = SessionIdArgument.class, description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    DeleteCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionRemoval removal = store.commands().delete(Objects.requireNonNull(session));
        out.line(SessionIdArgument.typed(removal.session()) + ": deleted, "
                + Preview.count(removal.events() - removal.kept(), "event") + " removed");
        if (removal.kept() > 0) {
            out.line("  " + Preview.count(removal.kept(), "event") + " kept for "
                    + EraseCommand.names(removal.neededBy()));
        }
        return true;
    }
}
