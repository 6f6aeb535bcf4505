package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Finding;
import io.surfacelog.surface.Surface;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code surface}: the nodes of a session, in surface order. */
@Command(
        name = "surface",
        description = "Prints the nodes of the surface in their order, now or after an earlier event.")
final class SurfaceCommand extends StoreCommand {

    @Parameters(paramLabel = "SESSION", converter = SessionIdArgument.class, description = SessionIdArgument.HELP)
    private @Nullable SessionId session;

    @Option(names = "--as-of", paramLabel = "SEQ", description = "As it was after this event.")
    private @Nullable Long asOf;

    @Option(
            names = "--json",
            description = "One JSON object: events, nodes, messageSeqs, generation, headers, findings.")
    private boolean json;

    SurfaceCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        SessionId id = Objects.requireNonNull(session);
        Surface surface =
                asOf == null ? store.queries().surface(id) : store.queries().surfaceAsOf(id, asOf);
        if (json) {
            out.line(JsonLine.of(SurfaceJson.of(surface, asOf == null)));
            return true;
        }
        SurfaceRows.print(surface, out, Ink.isWanted());
        // a surface of the past was folded without what the structure rules need
        if (asOf == null) {
            for (Finding finding : surface.findings()) {
                out.line("finding: " + finding.rule().code() + " at event " + finding.seq() + ": "
                        + ShownText.visible(finding.message()));
            }
        }
        return true;
    }
}
