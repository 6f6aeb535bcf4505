package io.surfacelog.compaction;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.surface.SurfaceNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a tool result without the middle of its text: head, marker and tail. What is no text stays where it is.
 *
 * @param content what is left
 * @param chars code points that are left out
 * @param whole the event that has all of them
 */
record PrunedContent(JsonArray content, int chars, long whole) {

    /** Null if the text is not too long. */
    static @Nullable PrunedContent of(ToolResult result, SurfaceNode node, PruneSettings settings) {
        List<Json> items = result.block().json().array("content").orElseThrow().items();
        int total = 0;
        for (Json item : items) {
            TextBlock text = text(item);
            total += text == null ? 0 : codePoints(text.text());
        }
        return total <= settings.thresholdChars()
                ? null
                : new Cut(node, settings.headChars(), total - settings.tailChars()).of(items);
    }

    /** The item as a text, null where it is something else; an item need not even be a block. */
    private static @Nullable TextBlock text(Json item) {
        return item instanceof JsonObject block && ContentBlock.of(block) instanceof TextBlock text ? text : null;
    }

    static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    /** Cuts from one code point of all text to another. */
    private static final class Cut {

        private final long seq;
        private final EventSeqs sources;
        private final int from;
        private final int to;
        private final List<Json> kept = new ArrayList<>();
        private int removed;

        /** Where what is left out begins in what the event says, which has a line break between two blocks. */
        private int readFrom;

        private int marked = -1;
        private PruneMarker.@Nullable Standing earlier;
        private String behindMarker = "";

        Cut(SurfaceNode node, int from, int to) {
            this.seq = node.seq();
            this.sources =
                    node.event().intent().map(SurfaceIntent::sourcesOrNone).orElse(EventSeqs.NONE);
            this.from = from;
            this.to = to;
        }

        PrunedContent of(List<Json> items) {
            int at = 0;
            int said = 0;
            TextBlock first = null;
            String head = "";
            for (Json item : items) {
                int says = codePoints(EventText.says(item));
                int begin = said + (said > 0 && says > 0 ? 1 : 0);
                said = says > 0 ? begin + says : said;
                TextBlock text = text(item);
                if (text == null) {
                    kept.add(item);
                    continue;
                }
                int length = codePoints(text.text());
                lookForEarlier(text.text(), at);
                boolean begins = first == null && at + length > from;
                if (at + length <= from || at >= to) {
                    kept.add(text.json());
                } else if (begins) {
                    first = text;
                    head = text.text().substring(0, headEnd(text.text(), from - at));
                    readFrom = begin + codePoints(head);
                    marked = kept.size();
                    kept.add(text.json());
                    behindMarker = tail(text.text(), to - at);
                    removed += length - codePoints(head) - codePoints(behindMarker);
                } else {
                    String tail = tail(text.text(), to - at);
                    removed += length - codePoints(tail);
                    if (!tail.isEmpty()) {
                        kept.add(text.json().with("text", JsonString.of(tail)));
                    }
                }
                at += length;
            }
            if (first != null) {
                kept.set(marked, first.json().with("text", JsonString.of(head + marker().text() + behindMarker)));
            }
            return new PrunedContent(new JsonArray(kept), removed, marker().seq());
        }

        /** The marker of an earlier pruning, where it is cut out with the rest. */
        private void lookForEarlier(String text, int at) {
            PruneMarker.Standing standing = PruneMarker.in(text);
            if (standing != null
                    && at + standing.start() >= from
                    && at + standing.end() <= to
                    && sources.contains(standing.marker().seq())) {
                earlier = standing;
            }
        }

        private static int headEnd(String text, int codePoints) {
            return GraphemeEdge.before(text, text.offsetByCodePoints(0, Math.max(0, codePoints)));
        }

        /** What is kept of a text of which so many code points belong to the cut or stand before it. */
        private static String tail(String text, int codePoints) {
            if (codePoints >= codePoints(text)) {
                return "";
            }
            return text.substring(GraphemeEdge.behind(text, text.offsetByCodePoints(0, Math.max(0, codePoints))));
        }

        /** One that was shortened before is named no more: its marker would only lead on to another one. */
        private PruneMarker marker() {
            PruneMarker.Standing before = earlier;
            return before == null
                    ? new PruneMarker(removed, seq, readFrom)
                    : new PruneMarker(
                            removed
                                    - (before.end() - before.start())
                                    + before.marker().chars(),
                            before.marker().seq(),
                            readFrom);
        }
    }
}
