package io.surfacelog.provider;

/**
 * The spelling that a provider takes for a tool name or a call id.
 *
 * @param maxLength longest spelling, in characters
 * @param punctuation characters besides the letters and digits of ASCII
 * @param word what stands for a spelling of which nothing can be kept
 */
record Alphabet(int maxLength, String punctuation, String word) {

    private static final String PRINTABLE = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

    /** No limit is documented; a generous one keeps what has run wild out of every request. */
    private static final int ANTHROPIC_ID_LENGTH = 256;

    static Alphabet names(Provider provider) {
        return new Alphabet(provider == Provider.ANTHROPIC ? 128 : 64, "_-", "tool");
    }

    static Alphabet callIds(Provider provider) {
        return provider == Provider.ANTHROPIC
                ? new Alphabet(ANTHROPIC_ID_LENGTH, "_-", "call")
                : new Alphabet(40, PRINTABLE, "call");
    }

    boolean accepts(String spelling) {
        return !spelling.isEmpty()
                && spelling.length() <= maxLength
                && spelling.chars().allMatch(this::accepts);
    }

    /** As much of the spelling as can be kept in so many characters, never empty. */
    String keptOf(String spelling, int length) {
        StringBuilder kept = new StringBuilder(length);
        boolean any = false;
        for (int i = 0; i < spelling.length() && kept.length() < length; i++) {
            char c = spelling.charAt(i);
            any |= accepts(c);
            kept.append(accepts(c) ? c : '_');
        }
        return any ? kept.toString() : word;
    }

    private boolean accepts(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || (c < 0x80 && punctuation.indexOf(c) >= 0);
    }
}
