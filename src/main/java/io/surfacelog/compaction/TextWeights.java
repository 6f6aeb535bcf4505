package io.surfacelog.compaction;

import java.lang.Character.UnicodeScript;

/**
 * What each code point adds to the tokens of a text, in hundredths. Byte-level tokenizers join what is frequent: words of
 * Latin letters with the space before them, indentation, short runs of digits and of punctuation; they split long runs
 * without a break (hashes, encoded bytes), and fall back towards single bytes for scripts they have seen little of.
 */
final class TextWeights {

    /** A run of letters and digits longer than this is hardly one that a tokenizer knows. */
    private static final int KNOWN_RUN = 16;

    private static final int UNKNOWN_RUN = 75;

    private TextWeights() {}

    /** Tokens of a text: the sum of its weights, rounded up. Cost: O(length). */
    static long tokens(String text) {
        long hundredths = 0;
        int run = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            if (point >= 0x80) {
                hundredths += beyondAscii(point);
                run = 0;
            } else if (isAlphanumeric(point)) {
                run++;
                hundredths += run > KNOWN_RUN ? UNKNOWN_RUN : alphanumeric(point);
            } else {
                run = 0;
                hundredths += other(point);
            }
        }
        return (hundredths + 99) / 100;
    }

    private static boolean isAlphanumeric(int point) {
        return point >= 'a' && point <= 'z' || point >= 'A' && point <= 'Z' || point >= '0' && point <= '9';
    }

    private static int alphanumeric(int point) {
        return point >= 'a' ? 24 : point >= 'A' ? 35 : 45;
    }

    private static int other(int point) {
        return point == ' ' || point == '\t' ? 8 : point == '\n' || point == '\r' ? 25 : 50;
    }

    private static int beyondAscii(int point) {
        if (point >= 0x4E00 && point <= 0x9FFF || point >= 0xAC00 && point <= 0xD7A3) {
            return 97;
        }
        if (point >= 0x10000) {
            return 250;
        }
        int type = Character.getType(point);
        if (type == Character.NON_SPACING_MARK || type == Character.SURROGATE) {
            return 100;
        }
        if (!Character.isLetterOrDigit(point)) {
            return type == Character.OTHER_SYMBOL ? 150 : 100;
        }
        UnicodeScript script = UnicodeScript.of(point);
        return switch (script) {
            case LATIN -> 60;
            case CYRILLIC -> 40;
            case GREEK -> 60;
            case ARABIC, HEBREW -> 65;
            case HIRAGANA, KATAKANA -> 85;
            case HAN, HANGUL -> 97;
            default -> 100;
        };
    }
}
