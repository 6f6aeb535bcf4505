package io.surfacelog.cli;

import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.io.IOException;

/** The nodes of a surface in their order, as rows of a table. */
final class SurfaceRows {

    private SurfaceRows() {}

    static void print(Surface surface, Output out, boolean colour) throws IOException {
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
