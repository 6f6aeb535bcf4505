package io.surfacelog.cli;

import io.surfacelog.command.EraseSession;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.ErasureProof;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code erase}: removes a session to the last byte. */
@Command(
        name = "erase",
        description = {
            "Removes a session, deleted before or not, so that no byte of it is left in the database, and proves it.",
            "Refuses while other sessions need it, and names them."
        })
final class EraseCommand extends StoreCommand {

    @Parameters(paramLabel = "SESSION", converter = SessionIdArgument.class, description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(
            names = "--cascade",
            description = "Erase the sessions too that share events of it or name it as their parent.")
    private boolean cascade;

    EraseCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        ErasureProof proof = store.commands().erase(new EraseSession(Objects.requireNonNull(session), cascade));
        out.line(names(proof.sessions()) + ": erased, " + Preview.count(proof.events(), "event") + " in "
                + Preview.count(proof.rows(), "row"));
        for (ErasureProof.InheritedPart part : proof.inherited()) {
            out.line("  events " + part.from() + " to " + (part.to() - 1) + " were and are those of "
                    + ShownText.visible(part.owner()));
        }
        out.line("  looked for " + Preview.count(proof.markers(), "text") + " in "
                + Preview.count(proof.bytes(), "byte") + ": " + proof.found() + " left"
                + (proof.elsewhere() == 0 ? "" : ", " + proof.elsewhere() + " that others hold too"));
        return true;
    }

    static String names(List<SessionId> sessions) {
        return sessions.stream().map(SessionIdArgument::typed).collect(Collectors.joining(", "));
    }
}
