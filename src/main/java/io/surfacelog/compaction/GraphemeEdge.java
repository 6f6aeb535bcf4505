package io.surfacelog.compaction;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a text can be cut without splitting what a reader sees as one character. */
final class GraphemeEdge {

    private static final Pattern CLUSTER = Pattern.compile("\\X");

    /** Longer than any cluster that is not made on purpose. */
    private static final int WINDOW = 256;

    private GraphemeEdge() {}

    /** The last edge at or before an index. */
    static int before(String text, int index) {
        return edge(text, index, false);
    }

    /** The first edge at or behind an index. */
    static int behind(String text, int index) {
        return edge(text, index, true);
    }

    private static int edge(String text, int index, boolean behind) {
        if (index <= 0 || index >= text.length()) {
            return Math.max(0, Math.min(index, text.length()));
        }
        int from = Math.max(0, index - WINDOW);
        if (from > 0
                && Character.isLowSurrogate(text.charAt(from))
                && Character.isHighSurrogate(text.charAt(from - 1))) {
            from--;
        }
        Matcher cluster = CLUSTER.matcher(text).region(from, Math.min(text.length(), index + WINDOW));
        while (cluster.find()) {
            if (cluster.end() >= index) {
                return cluster.end() == index || behind ? cluster.end() : cluster.start();
            }
        }
        return index;
    }
}
