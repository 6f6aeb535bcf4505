package io.surfacelog.store.sqlite;

import io.surfacelog.event.JsonString;
import io.surfacelog.event.JsonText;

/**
 * How ids, types and keys stand in a text column. UTF-8 has no lone surrogates and SQLite's text functions end at a NUL,
 * so a text with either is stored as the canonical JSON string of it; so is one that begins with a quotation mark, which
 * tells the two apart. Each text has exactly one stored form and each stored form one text, so look-ups compare the
 * stored forms.
 */
final class StoredText {

    private StoredText() {}

    static String encode(String text) {
        return isPlain(text) ? text : JsonString.of(text).toText();
    }

    /**
     * The text of a stored form.
     *
     * @throws RuntimeException if it is none
     */
    static String decode(String stored) {
        if (!stored.startsWith("\"")) {
            return stored;
        }
        if (JsonText.ofCompact(stored).value() instanceof JsonString string) {
            return string.value();
        }
        throw new IllegalArgumentException("expected a JSON string, found " + stored);
    }

    private static boolean isPlain(String text) {
        if (text.startsWith("\"")) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
