package io.surfacelog.compaction;

/**
 * What to look for among the hidden events of a session.
 *
 * @param text what they have to contain, letter case aside; not blank
 * @param passages how many events are given at most, from 1 to 100
 * @param context how many code points are given before and behind what was found, from 0 to 4,000
 * @param before only events with a lower seq are looked at
 */
public record RecallQuery(String text, int passages, int context, long before) {

    private static final int MOST_PASSAGES = 100;
    private static final int MOST_CONTEXT = 4_000;

    public RecallQuery {
        if (text.isBlank()) {
            throw new IllegalArgumentException("expected a text to look for, found a blank one");
        }
        if (passages < 1 || passages > MOST_PASSAGES) {
            throw new IllegalArgumentException("expected 1 to " + MOST_PASSAGES + " passages, found " + passages);
        }
        if (context < 0 || context > MOST_CONTEXT) {
            throw new IllegalArgumentException(
                    "expected a context of 0 to " + MOST_CONTEXT + " code points, found " + context);
        }
        if (before < 0) {
            throw new IllegalArgumentException("expected a seq from 0 to look before, found " + before);
        }
    }

    /** Ten passages at most, 200 code points on each side of what was found. */
    public static RecallQuery of(String text) {
        return new RecallQuery(text, 10, 200, Long.MAX_VALUE);
    }

    public RecallQuery passages(int most) {
        return new RecallQuery(text, most, context, before);
    }

    public RecallQuery context(int codePoints) {
        return new RecallQuery(text, passages, codePoints, before);
    }

    /** The same among older events: where a search that was {@linkplain RecallFindings#next() not through} goes on. */
    public RecallQuery before(long seq) {
        return new RecallQuery(text, passages, context, seq);
    }
}
