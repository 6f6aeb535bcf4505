package io.surfacelog.compaction;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What stands between head and tail of a shortened result.
 *
 * @param chars code points that are left out
 * @param seq the event that has them
 * @param from where in what that event says they begin, in code points
 */
record PruneMarker(int chars, long seq, int from) {

    private static final Pattern SHAPE =
            Pattern.compile("\n\n\\[([0-9,]{1,13}) characters of this result are left out here\\. To read them call "
                    + RecallTool.NAME + " with \\{\"seq\": ([0-9]{1,16}), \"from\": ([0-9]{1,9})}\\.]\n\n");

    String text() {
        return String.format(
                Locale.ROOT,
                "\n\n[%,d characters of this result are left out here. To read them call %s with"
                        + " {\"seq\": %d, \"from\": %d}.]\n\n",
                chars,
                RecallTool.NAME,
                seq,
                from);
    }

    /**
     * A marker in a text; a tool may say the same, so whoever asks has to know that the event it names was shortened.
     *
     * @param start where it begins, in code points
     * @param end where it ends
     */
    record Standing(PruneMarker marker, int start, int end) {}

    /** The first one in a text, null if there is none. */
    static @Nullable Standing in(String text) {
        Matcher found = SHAPE.matcher(text);
        if (!found.find()) {
            return null;
        }
        PruneMarker marker = new PruneMarker(
                (int) Math.min(Integer.MAX_VALUE, Long.parseLong(found.group(1).replace(",", ""))),
                Long.parseLong(found.group(2)),
                Integer.parseInt(found.group(3)));
        return new Standing(marker, text.codePointCount(0, found.start()), text.codePointCount(0, found.end()));
    }
}
