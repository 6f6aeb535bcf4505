package io.surfacelog.compaction;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolDefinition;
import io.surfacelog.model.ToolInvocation;
import io.surfacelog.model.ToolOutput;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The tool {@value #NAME}, with which a model looks up what was hidden from it in its own session.
 *
 * <pre>{@code
 * Agent agent = agents.create(header, profile.tools(RecallTool.of(Recall.of(queries))));
 * }</pre>
 *
 * <p>Its arguments are either {@code query}, for which passages are given with the seqs of their events, or {@code seq} and
 * perhaps {@code from}, for the text of one event from that character on. It reads only the session that calls it.
 */
public final class RecallTool {

    public static final String NAME = "recall";

    /** What one call gives of an event at most, in code points; below what is pruned by default. */
    static final int TEXT = 6_000;

    private static final String DESCRIPTION =
            "Looks up earlier parts of this conversation that were summarised or shortened."
                    + " Give query to search them: each passage found is given with its number. Give seq, one of those numbers, to"
                    + " read that message or tool result in full, and from to go on reading at a character.";

    private final Recall recall;

    private RecallTool(Recall recall) {
        this.recall = recall;
    }

    public static Tool of(Recall recall) {
        RecallTool tool = new RecallTool(recall);
        return Tool.of(ToolDefinition.of(NAME, DESCRIPTION).parameters(schema()).inParallel(), tool::run);
    }

    private static JsonObject schema() {
        return JsonObject.builder()
                .put("type", "object")
                .put(
                        "properties",
                        JsonObject.builder()
                                .put("query", property("string", "Words to look for, as they were written."))
                                .put("seq", property("integer", "Number of a message or tool result to read."))
                                .put("from", property("integer", "Character to begin reading at, 0 if absent."))
                                .build())
                .build();
    }

    private static JsonObject property(String type, String description) {
        return JsonObject.builder()
                .put("type", type)
                .put("description", description)
                .build();
    }

    private ToolOutput run(ToolInvocation call) {
        JsonObject arguments = call.arguments();
        OptionalLong seq = arguments.longValue("seq");
        Optional<String> query = arguments.string("query").filter(text -> !text.isBlank());
        if (seq.isPresent()) {
            return read(
                    call.session(), seq.getAsLong(), arguments.longValue("from").orElse(0));
        }
        return query.map(text -> search(call.session(), text))
                .orElseGet(
                        () -> ToolOutput.error("expected a query to search for, or the seq of a message to read, found "
                                + arguments.toText()));
    }

    private ToolOutput search(SessionId session, String text) {
        RecallFindings found = recall.search(session, RecallQuery.of(text));
        if (found.passages().isEmpty()) {
            return ToolOutput.text("Nothing that was hidden from this conversation says \"" + text
                    + "\". Try fewer or other words; what is not hidden is not searched.");
        }
        StringBuilder out = new StringBuilder();
        for (RecallPassage passage : found.passages()) {
            out.append(out.isEmpty() ? "" : "\n\n")
                    .append("seq ")
                    .append(passage.seq())
                    .append(", ")
                    .append(passage.type())
                    .append(
                            passage.turn().isPresent()
                                    ? ", turn " + passage.turn().getAsLong()
                                    : "")
                    .append(":\n")
                    .append(passage.offset() > 0 ? "…" : "")
                    .append(passage.text())
                    .append(passage.offset() + codePoints(passage.text()) < passage.length() ? "…" : "");
        }
        if (found.next().isPresent()) {
            out.append("\n\nThere may be more, older ones; look for something more exact to see fewer.");
        }
        return ToolOutput.text(out.toString());
    }

    private ToolOutput read(SessionId session, long seq, long from) {
        if (from < 0 || from > Integer.MAX_VALUE) {
            return ToolOutput.error("expected from to be a character from 0, found " + from);
        }
        RecalledText text;
        try {
            text = recall.read(session, seq, (int) from, TEXT);
        } catch (IllegalArgumentException e) {
            return ToolOutput.error(String.valueOf(e.getMessage()));
        }
        String rest = text.end() < text.length()
                ? "\n\n[characters " + text.offset() + " to " + text.end() + " of " + text.length()
                        + "; go on with from " + text.end() + "]"
                : "";
        return ToolOutput.text(text.text() + rest);
    }

    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }
}
