package io.surfacelog.cli;

import java.util.Locale;

/**
 * Text of a log as a terminal may show it: on one line, cut to a number of columns, and with nothing in it that a terminal
 * would obey. Logs hold what models and tools wrote, which may be an escape sequence.
 */
final class ShownText {

    private static final char CUT = '…';

    private ShownText() {}

    /** The text on one line, cut to so many columns. Cost: O(columns), whatever the length of the text. */
    static String line(String text, int columns) {
        StringBuilder out = new StringBuilder();
        int width = 0;
        int fits = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            String shown = shown(codePoint);
            width += shown.length() > Character.charCount(codePoint) ? shown.length() : width(codePoint);
            if (width > columns) {
                out.setLength(fits);
                return columns > 0 ? out.append(CUT).toString() : "";
            }
            out.append(shown);
            if (width < columns) {
                fits = out.length();
            }
        }
        return out.toString();
    }

    /** The text with every character that a terminal would obey, or not show at all, made visible. */
    static String visible(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(codePoint -> out.append(shown(codePoint)));
        return out.toString();
    }

    private static String shown(int codePoint) {
        if (codePoint == '\n') {
            return "⏎";
        }
        if (codePoint < 0x20) {
            // the pictures of the control characters stand in their order
            return String.valueOf((char) (0x2400 + codePoint));
        }
        if (codePoint == 0x7F) {
            return "␡";
        }
        boolean hidden = switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED -> true;
            // what joins emoji may stay; what turns the direction of writing may not
            case Character.FORMAT -> codePoint != 0x200D && codePoint != 0x200C;
            default -> false;
        };
        if (!hidden) {
            return Character.toString(codePoint);
        }
        return codePoint <= 0xFFFF
                ? String.format(Locale.ROOT, "\\u%04x", codePoint)
                : String.format(Locale.ROOT, "\\u{%x}", codePoint);
    }

    /** Columns of a text that is {@linkplain #visible visible} already. */
    static int width(String text) {
        return text.codePoints().map(ShownText::width).sum();
    }

    private static int width(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(codePoint) ? 2 : 1;
        };
    }

    /** East Asian and emoji, by block: near enough for a column to stay straight. */
    private static boolean isWide(int codePoint) {
        return codePoint >= 0x1100
                && (codePoint <= 0x115F
                        || (codePoint >= 0x2E80 && codePoint <= 0xA4CF && codePoint != 0x303F)
                        || (codePoint >= 0xAC00 && codePoint <= 0xD7A3)
                        || (codePoint >= 0xF900 && codePoint <= 0xFAFF)
                        || (codePoint >= 0xFE30 && codePoint <= 0xFE6F)
                        || (codePoint >= 0xFF00 && codePoint <= 0xFF60)
                        || (codePoint >= 0xFFE0 && codePoint <= 0xFFE6)
                        || (codePoint >= 0x1F300 && codePoint <= 0x1FAFF)
                        || (codePoint >= 0x20000 && codePoint <= 0x3FFFD));
    }

    /** The text, filled with spaces to so many columns, at its end or, to the right, before it. */
    static String padded(String text, int columns, boolean right) {
        String spaces = " ".repeat(Math.max(0, columns - width(text)));
        return right ? spaces + text : text + spaces;
    }
}
