package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Finding;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
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
        print(surface, out, Ink.isWanted());
        // a surface of the past was folded without what the structure rules need
        if (asOf == null) {
            for (Finding finding : surface.findings()) {
                out.line("finding: " + finding.rule().code() + " at event " + finding.seq() + ": "
                        + ShownText.visible(finding.message()));
            }
        }
        return true;
    }

    private static void print(Surface surface, Output out, boolean colour) throws IOException {
        out.line(Preview.count(surface.nextSeq(), "event") + ", "
                + Preview.count(surface.nodes().size(), "node") + ", "
                + Preview.count(surface.messages().size(), "message") + ", "
                + Preview.count(surface.generation(), "replace"));
        int digits = Math.max(3, Long.toString(surface.nextSeq()).length());
        Table table = new Table(
                Table.WIDTH + 20,
                colour,
                Table.right("seq", digits),
                Table.left("type", 18),
                Table.left("op and sources", 24),
                Table.rest("says"));
        out.line(table.head());
        for (SurfaceNode node : surface.nodes()) {
            boolean appended = node.event().intent().orElseThrow().isAppend();
            out.line(table.row(
                    appended ? Ink.PLAIN : Ink.ACCENT,
                    Long.toString(node.seq()),
                    node.event().type(),
                    EventRows.intent(node.event().intent().orElseThrow()),
                    Preview.of(node.event())));
        }
    }
}
