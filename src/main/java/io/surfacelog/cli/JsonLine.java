package io.surfacelog.cli;

import io.surfacelog.event.Json;
import java.util.Locale;

/**
 * A JSON value on one line that a terminal may show: what JSON leaves raw and a terminal would obey (DEL, the C1 controls),
 * or would not show as it is written, becomes a JSON escape. In JSON it can only stand in a string, so the value stays.
 */
final class JsonLine {

    private JsonLine() {}

    static String of(Json json) {
        return escaped(json.toText());
    }

    /** JSON text, with such escapes. */
    static String escaped(String json) {
        StringBuilder out = null;
        int clean = 0;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c < 0x7F || !isHidden(c)) {
                continue;
            }
            out = out == null ? new StringBuilder(json.length() + 16) : out;
            out.append(json, clean, i).append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            clean = i + 1;
        }
        return out == null ? json : out.append(json, clean, json.length()).toString();
    }

    private static boolean isHidden(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            case Character.FORMAT -> c != 0x200D && c != 0x200C;
            default -> false;
        };
    }
}
