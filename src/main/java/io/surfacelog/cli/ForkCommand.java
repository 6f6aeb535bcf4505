package io.surfacelog.cli;

import io.surfacelog.command.ForkSession;
import io.surfacelog.command.Forked;
import io.surfacelog.event.SessionId;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fork}: begins a session with the first events of another one. */
@Command(
        name = "fork",
        description = {
            "Makes a session that begins with the events of another one, which it shares, and goes on by itself.",
            "The other session is left as it is."
        })
final class ForkCommand extends StoreCommand {

    @Parameters(paramLabel = "SESSION", converter = SessionIdArgument.class, description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(
            names = "--at",
            paramLabel = "SEQ",
            description = "The last event that is shared (default: the last there is).")
    private @Nullable Long at;

    @Option(
            names = "--as",
            paramLabel = "ID",
            converter = SessionIdArgument.class,
            description = "The id of the new session (default: a random one).")
    private @Nullable SessionId as;

    @Option(
            names = "--before-open-turn",
            description = "Where a turn is open at that event, share what comes before the turn.")
    private boolean beforeOpenTurn;

    ForkCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionId source = Objects.requireNonNull(session);
        ForkSession fork = ForkSession.of(source);
        fork = at == null ? fork : fork.at(at);
        fork = as == null ? fork : fork.as(as);
        Forked forked = store.commands().fork(beforeOpenTurn ? fork.beforeOpenTurns() : fork);
        out.line(sentence(forked, source));
        return true;
    }

    /** What came of a fork. */
    static String sentence(Forked forked, SessionId source) {
        return SessionIdArgument.typed(forked.session()) + ": shares "
                + Preview.count(forked.seedLength(), "event") + " of " + SessionIdArgument.typed(source)
                + ", goes on at event " + forked.nextSeq();
    }
}
