package io.surfacelog.event;

/** Writes values as compact JSON, spelled as {@link Json#toText()} promises. */
final class JsonWriter {

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonWriter() {}

    static void write(Json value, StringBuilder out) {
        if (value instanceof JsonObject object) {
            out.append('{');
            for (int i = 0; i < object.size(); i++) {
                if (i > 0) {
                    out.append(',');
                }
                writeString(object.nameAt(i), out);
                out.append(':');
                write(object.valueAt(i), out);
            }
            out.append('}');
        } else if (value instanceof JsonArray array) {
            out.append('[');
            for (int i = 0; i < array.size(); i++) {
                if (i > 0) {
                    out.append(',');
                }
                write(array.get(i), out);
            }
            out.append(']');
        } else if (value instanceof JsonString string) {
            writeString(string.value(), out);
        } else {
            out.append(value);
        }
    }

    static void writeString(String text, StringBuilder out) {
        out.append('"');
        int clean = 0;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            out.append(text, clean, i);
            escape(c, out);
            clean = i + 1;
        }
        out.append(text, clean, length).append('"');
    }

    private static void escape(char c, StringBuilder out) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default ->
                out.append("\\u")
                        .append(HEX[c >> 12])
                        .append(HEX[c >> 8 & 15])
                        .append(HEX[c >> 4 & 15])
                        .append(HEX[c & 15]);
        }
    }
}
