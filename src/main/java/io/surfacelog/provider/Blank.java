package io.surfacelog.provider;

/** What providers call empty: nothing but white space, in any of its definitions. */
final class Blank {

    private Blank() {}

    static boolean is(String text) {
        return text.codePoints()
                .allMatch(c -> Character.isWhitespace(c)
                        || Character.isSpaceChar(c)
                        || c == 0x85
                        || c == 0xFEFF
                        || (c >= 0x200B && c <= 0x200D)
                        || c == 0x2060);
    }
}
