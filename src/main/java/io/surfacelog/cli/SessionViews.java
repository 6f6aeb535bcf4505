package io.surfacelog.cli;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import io.surfacelog.surface.TranscriptEntry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The three views of a session, one line each for what they hold: what a person saw, what the model sees, what it is sent. */
final class SessionViews {

    /** What hides others. */
    private static final String REPLACES = "◆";

    /** What is hidden. */
    private static final String SHADOWED = "░";

    private final Output out;
    private final SessionQueries queries;
    private final boolean colour;
    private final int width;

    SessionViews(Output out, SessionQueries queries, boolean colour, int width) {
        this.out = out;
        this.queries = queries;
        this.colour = colour;
        this.width = width;
    }

    /** What a person saw, and what of it the model no longer sees. */
    void transcript(SessionId id) throws IOException {
        List<TranscriptEntry> entries = queries.transcript(id);
        Map<Long, Replacement> replacements = replacements(id);
        Set<Long> onSurface =
                queries.surface(id).nodes().stream().map(SurfaceNode::seq).collect(Collectors.toSet());
        long hidden = entries.stream()
                .filter(entry -> !onSurface.contains(entry.event().seq()))
                .count();
        heading(
                "TRANSCRIPT",
                "what a person saw: " + Preview.count(entries.size() - replacements.size(), "message") + ", " + hidden
                        + " no longer seen by the model (" + SHADOWED + "), "
                        + Preview.count(replacements.size(), "replace") + " (" + REPLACES + ")");
        Table table = new Table(
                width,
                colour,
                Table.left("", 1),
                Table.right("seq", seqWidth(id)),
                Table.left("who", 14),
                Table.rest(""));
        for (TranscriptEntry entry : entries) {
            SessionEvent event = entry.event();
            Message message = ((SurfacePayload) event.payload()).message();
            Replacement replacement = replacements.get(event.seq());
            if (replacement != null) {
                line(table, Ink.ACCENT, REPLACES, event, Preview.speaker(message), replaces(replacement));
            } else if (onSurface.contains(event.seq())) {
                line(table, Ink.PLAIN, "", event, Preview.speaker(message), Preview.of(event));
            } else {
                line(table, Ink.FAINT, SHADOWED, event, Preview.speaker(message), Preview.of(event));
            }
        }
    }

    /** The nodes of the surface, each with what it was made of. */
    void surface(SessionId id) throws IOException {
        Surface surface = queries.surface(id);
        Map<Long, Replacement> replacements = replacements(id);
        heading(
                "SURFACE",
                "what the model sees: " + Preview.count(surface.nodes().size(), "node") + " of "
                        + Preview.count(surface.nextSeq(), "event") + ", after "
                        + Preview.count(surface.generation(), "replace"));
        Table table = new Table(
                width,
                colour,
                Table.left("", 1),
                Table.right("seq", seqWidth(id)),
                Table.left("type", 17),
                Table.left("made of", 14),
                Table.rest(""));
        out.line(table.head());
        for (SurfaceNode node : surface.nodes()) {
            SessionEvent event = node.event();
            Replacement replacement = replacements.get(event.seq());
            line(
                    table,
                    replacement == null ? Ink.PLAIN : Ink.ACCENT,
                    replacement == null ? "" : REPLACES,
                    event,
                    event.type(),
                    sources(event),
                    Preview.of(event));
            if (replacement != null) {
                out.line(table.row(Ink.FAINT, "", "", "", "", replaces(replacement)));
            }
        }
    }

    /** The messages the model is sent, block by block, each with where it comes from. */
    void messages(SessionId id) throws IOException {
        Surface surface = queries.surface(id);
        Map<Long, Replacement> replacements = replacements(id);
        heading(
                "MODEL MESSAGES",
                "what the model is sent: "
                        + Preview.count(surface.messageNodes().size(), "message")
                        + surface.requestHeader()
                                .map(header -> ", for " + header.provider() + "/" + header.model())
                                .orElse("")
                        + surface.requestHeaderEvent()
                                .map(event -> " as event " + event.seq() + " says")
                                .orElse(""));
        Table table = new Table(
                width,
                colour,
                Table.left("", 1),
                Table.right("seq", seqWidth(id)),
                Table.left("role", 9),
                Table.left("from", 16),
                Table.left("made of", 14),
                Table.rest(""));
        out.line(table.head());
        for (SurfaceNode node : surface.messageNodes()) {
            boolean replaces = replacements.containsKey(node.seq());
            Ink ink = replaces ? Ink.ACCENT : Ink.PLAIN;
            Message message = node.message();
            List<ContentBlock> blocks = message.content();
            line(
                    table,
                    ink,
                    replaces ? REPLACES : "",
                    node.event(),
                    message.role(),
                    Preview.origin(message),
                    sources(node.event()),
                    blocks.isEmpty() ? "(empty)" : Preview.of(blocks.get(0)));
            for (ContentBlock block : blocks.subList(Math.min(1, blocks.size()), blocks.size())) {
                out.line(table.row(ink, "", "", "", "", "", Preview.of(block)));
            }
        }
    }

    private void heading(String name, String what) throws IOException {
        out.line("");
        out.line(Ink.STRONG.on(name, colour) + "  " + ShownText.line(what, width - name.length() - 2));
    }

    private void line(Table table, Ink ink, String mark, SessionEvent event, String... cells) throws IOException {
        String[] row = new String[cells.length + 2];
        row[0] = mark;
        row[1] = String.valueOf(event.seq());
        System.arraycopy(cells, 0, row, 2, cells.length);
        out.line(table.row(ink, row));
    }

    private static String sources(SessionEvent event) {
        return event.intent()
                .flatMap(intent -> intent.sources())
                .map(EventSeqs::toText)
                .orElse("");
    }

    private static String replaces(Replacement replacement) {
        String range = replacement.start() == replacement.end()
                ? String.valueOf(replacement.start())
                : replacement.start() + "…" + replacement.end();
        return "replaces " + range + ", hiding "
                + Preview.count(replacement.shadowed().size(), "node") + ": "
                + replacement.shadowed().toText();
    }

    private Map<Long, Replacement> replacements(SessionId id) {
        return queries.replacements(id).stream().collect(Collectors.toMap(Replacement::seq, Function.identity()));
    }

    private int seqWidth(SessionId id) {
        return Math.max(4, String.valueOf(queries.nextSeq(id)).length());
    }
}
