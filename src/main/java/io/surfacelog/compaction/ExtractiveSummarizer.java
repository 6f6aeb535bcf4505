package io.surfacelog.compaction;

import io.surfacelog.surface.SurfaceNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A summary without a model: the first lines of what was said, by whom and where it stands in the log. Deterministic; asks
 * nobody and calls no network.
 *
 * <pre>{@code
 * - [12] user: Where is my parcel 4711?
 * - [15] assistant: I will look. (called find_order, track_parcel)
 * - [17] result: In Lyon since Monday.
 * - [19] assistant: It is in Lyon. / It will arrive on Thursday.
 * }</pre>
 *
 * <p>Each line cites its event. What does not fit is left out, results first, then what the assistant said, then what users
 * asked for, the oldest first; a last line says how much. The lines of earlier summaries are taken over as they are, so that
 * summaries do not nest. Safe for use by several threads. Cost: O(hidden messages).
 */
public final class ExtractiveSummarizer implements Summarizer {

    /** The name by which it stands in the log as a provider. */
    public static final String PROVIDER = "surfacelog";

    /** The name by which it stands in the log as a model. */
    public static final String MODEL = "extractive";

    /** What a summary may be of what it hides: room is what a compaction is for. */
    private static final int SHARE = 4;

    private static final long LEAST = 48;

    @Override
    public Summary summarize(SummaryRequest request) {
        List<SummaryLine> lines = new ArrayList<>();
        for (SurfaceNode node : request.hidden()) {
            if (node.derivesMessage()) {
                SummaryLine.of(node, lines.size(), lines);
            }
        }
        long budget = Math.min(request.maxTokens(), Math.max(LEAST, request.hiddenTokens() / SHARE));
        Map<Integer, String> kept = fitting(lines, budget, request);
        StringBuilder text = new StringBuilder();
        kept.values().forEach(line -> text.append(line).append('\n'));
        int left = lines.size() - kept.size();
        if (left > 0) {
            text.append(leftOut(left));
        }
        return Summary.of(text.toString(), PROVIDER, MODEL);
    }

    private static String leftOut(int lines) {
        return "(" + lines + (lines == 1 ? " more line was" : " more lines were") + " left out.)\n";
    }

    private static Map<Integer, String> fitting(List<SummaryLine> lines, long budget, SummaryRequest request) {
        List<SummaryLine> byWeight = new ArrayList<>(lines);
        byWeight.sort(Comparator.comparing(SummaryLine::kind)
                .thenComparing(Comparator.comparingInt(SummaryLine::place).reversed()));
        Map<Integer, String> kept = new TreeMap<>();
        // what a message costs beside its text counts once, not with each line
        long around = request.tokens().applyAsLong("");
        long left = budget - request.tokens().applyAsLong(leftOut(lines.size()));
        for (SummaryLine line : byWeight) {
            long tokens = Math.max(1, request.tokens().applyAsLong(line.text() + "\n") - around);
            if (tokens > left) {
                break;
            }
            kept.put(line.place(), line.text());
            left -= tokens;
        }
        if (kept.isEmpty() && !byWeight.isEmpty()) {
            // something has to be said; whoever asked finds out whether there is room for it
            kept.put(byWeight.get(0).place(), byWeight.get(0).shortened());
        }
        return kept;
    }
}
