package io.surfacelog.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Text that arrives in pieces, cut into lines a terminal can show: at its own line ends, and between words where a line
 * would grow too long. A pair of surrogates that comes in two pieces is put together again. For one thread at a time.
 *
 * <pre>{@code
 * text.add("Hello\nwor", 80);   // ["Hello"], and "wor" is open
 * text.finish();                // ["wor"]
 * }</pre>
 */
final class FlowingText {

    private static final String TAB = "    ";

    private final StringBuilder open = new StringBuilder();
    private String held = "";
    private int lastColumns = Integer.MAX_VALUE;

    /**
     * Takes a piece as it stands in the log.
     *
     * @param columns how wide a line may be, from 1
     * @return the lines that are whole now, with nothing in them that a terminal would obey
     */
    List<String> add(String piece, int columns) {
        lastColumns = columns;
        String text = held + piece;
        boolean half = !text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1));
        held = half ? text.substring(text.length() - 1) : "";
        return take(half ? text.substring(0, text.length() - 1) : text, columns);
    }

    private List<String> take(String text, int columns) {
        List<String> whole = new ArrayList<>();
        String[] lines = text.replace("\r\n", "\n").replace("\t", TAB).split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            open.append(ShownText.visible(lines[i]));
            wrap(columns, whole);
            if (i < lines.length - 1) {
                whole.add(takeOpen());
            }
        }
        return whole;
    }

    /** The line that is not at its end yet; empty if there is none. */
    String open() {
        return open.toString();
    }

    /** Ends the line that is open: one line, or more where half a character was waiting; none if nothing was open. */
    List<String> finish() {
        List<String> whole = new ArrayList<>();
        if (!held.isEmpty()) {
            open.append(ShownText.visible(held));
            held = "";
            wrap(lastColumns, whole);
        }
        if (!open.isEmpty()) {
            whole.add(takeOpen());
        }
        return whole;
    }

    private String takeOpen() {
        String line = open.toString();
        open.setLength(0);
        return line;
    }

    private void wrap(int columns, List<String> whole) {
        for (int end = fitting(columns); end < open.length(); end = fitting(columns)) {
            int space = open.lastIndexOf(" ", end);
            boolean between = space > 0 && !open.substring(0, space).isBlank();
            whole.add(open.substring(0, between ? space : end));
            open.delete(0, between ? space + 1 : end);
        }
    }

    /** How much of the open line fits, at least one character. */
    private int fitting(int columns) {
        int width = 0;
        for (int i = 0; i < open.length(); ) {
            int codePoint = open.codePointAt(i);
            width += ShownText.width(Character.toString(codePoint));
            if (width > columns && i > 0) {
                return i;
            }
            i += Character.charCount(codePoint);
        }
        return open.length();
    }
}
