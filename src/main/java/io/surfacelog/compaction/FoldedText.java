package io.surfacelog.compaction;

import java.util.Arrays;
import java.util.Locale;

/**
 * A text without its letter case, and where each of its characters came from. Folding is that of Unicode as far as upper and
 * lower case of the root locale give it, so {@code STRASSE} is found in {@code Straße}. Composed and decomposed letters are
 * different texts.
 */
final class FoldedText {

    private final String original;
    private final String folded;
    private final int[] origin;

    FoldedText(String original) {
        this.original = original;
        StringBuilder text = new StringBuilder(original.length() + 16);
        int[] from = new int[original.length() + 16];
        for (int at = 0; at < original.length(); ) {
            int c = original.codePointAt(at);
            int before = text.length();
            fold(c, text);
            if (text.length() >= from.length) {
                from = Arrays.copyOf(from, Math.max(2 * from.length, text.length() + 16));
            }
            Arrays.fill(from, before, text.length(), at);
            at += Character.charCount(c);
        }
        this.folded = text.toString();
        this.origin = from;
    }

    static String fold(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> fold(c, out));
        return out.toString();
    }

    private static void fold(int c, StringBuilder out) {
        if (c < 0x80) {
            out.append((char) (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
        } else if (Character.isLetter(c) || Character.toUpperCase(c) != Character.toLowerCase(c)) {
            out.append(Character.toString(c).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT));
        } else {
            out.appendCodePoint(c);
        }
    }

    /** Index in the original of the first place where it says this folded text, -1 if nowhere. */
    int indexOf(String sought) {
        int at = folded.indexOf(sought);
        return at < 0 ? -1 : origin[at];
    }

    /** Index in the original behind the folded text that begins there. */
    int endOf(String sought) {
        int at = folded.indexOf(sought) + sought.length();
        if (at >= folded.length()) {
            return original.length();
        }
        int end = origin[at];
        // of a letter that became several, the first of them may be the last that was sought
        return end > origin[at - 1] ? end : original.offsetByCodePoints(end, 1);
    }
}
