package io.surfacelog.compaction;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a text can be cut without splitting what a reader sees as one character. */
final class GraphemeEdge {

    private static final Pattern CLUSTER = Pattern.compile("\\X");

    /** Enough for almost every cluster; one that does not fit is looked at in a wider one. */
    private static final int WINDOW = 256;

    private GraphemeEdge() {}

    /** The last edge at or before an index. Cost: O(its cluster), and of a row of flags its length. */
    static int before(String text, int index) {
        return edge(text, index, false);
    }

    /** The first edge at or behind an index. Cost: O(its cluster), and of a row of flags its length. */
    static int behind(String text, int index) {
        return edge(text, index, true);
    }

    private static int edge(String text, int index, boolean behind) {
        if (index <= 0 || index >= text.length()) {
            return Math.max(0, Math.min(index, text.length()));
        }
        for (long window = WINDOW; ; window *= 2) {
            int from = start(text, (int) Math.max(0, index - window));
            int to = (int) Math.min(text.length(), index + window);
            Matcher cluster = CLUSTER.matcher(text).region(from, to);
            boolean found = cluster.find();
            while (found && cluster.end() < index) {
                found = cluster.find();
            }
            // what touches an end of the window may go on beyond it
            boolean whole = (cluster.start() > from || from == 0) && (cluster.end() < to || to == text.length());
            if (whole) {
                return cluster.end() == index || behind ? cluster.end() : cluster.start();
            }
        }
    }

    /** An index at or before this one that splits no code point and no pair of letters that make a flag. */
    private static int start(String text, int index) {
        int start = index;
        if (start > 0
                && Character.isLowSurrogate(text.charAt(start))
                && Character.isHighSurrogate(text.charAt(start - 1))) {
            start--;
        }
        if (isFlagLetter(text.codePointAt(start))) {
            while (start > 0 && isFlagLetter(text.codePointBefore(start))) {
                start -= 2;
            }
        }
        return start;
    }

    private static boolean isFlagLetter(int point) {
        return point >= 0x1F1E6 && point <= 0x1F1FF;
    }
}
