package io.surfacelog.compaction;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Finds what compaction, pruning and other replaces have hidden from the model, in the log itself: there is no index, so there
 * is nothing else to erase.
 *
 * <pre>{@code
 * Recall recall = Recall.of(queries);
 * RecallFindings found = recall.search(id, RecallQuery.of("order A-1047"));
 * for (RecallPassage passage : found.passages()) {
 *     RecalledText whole = recall.read(id, passage.seq(), 0, 10_000);
 * }
 * }</pre>
 *
 * <p>What an event says is the text of its message, reasoning, tool names and arguments among it. It is looked for letter by
 * letter, whatever the case; languages without spaces are looked for in the same way. Immutable; safe for use by several
 * threads.
 */
public final class Recall {

    /** Seqs that are looked through at a time. */
    private static final long PAGE = 2_000;

    /** What one search looks through at most, in characters. */
    private static final long MOST_CHARS = 64L << 20;

    /** What one read gives at most, in code points. */
    private static final int MOST_TEXT = 100_000;

    private final SessionQueries queries;

    private Recall(SessionQueries queries) {
        this.queries = queries;
    }

    public static Recall of(SessionQueries queries) {
        return new Recall(queries);
    }

    /**
     * Looks through the hidden events of a session, from the newest to the oldest. Cost: O(text of the surface events looked
     * through), which ends after 64 Mi characters; {@link RecallFindings#next()} then says where to go on. Stream chunks cost
     * next to nothing.
     *
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     */
    public RecallFindings search(SessionId session, RecallQuery query) {
        String sought = FoldedText.fold(query.text());
        List<RecallPassage> found = new ArrayList<>();
        Map<Long, Long> hiddenBy = hiddenBy(session);
        long chars = 0;
        long to = Math.min(query.before(), queries.nextSeq(session));
        while (to > 0) {
            List<SessionEvent> page = queries.surfaceEvents(session, Math.max(0, to - PAGE), to);
            for (int i = page.size() - 1; i >= 0; i--) {
                SessionEvent event = page.get(i);
                Long replace = hiddenBy.get(event.seq());
                if (replace == null) {
                    continue;
                }
                String text = EventText.of(event);
                chars += text.length();
                FoldedText folded = new FoldedText(text);
                int at = folded.indexOf(sought);
                if (at >= 0) {
                    found.add(passage(query, event, top(hiddenBy, replace), text, at, folded.endOf(sought)));
                }
                if (found.size() == query.passages() || chars > MOST_CHARS) {
                    return new RecallFindings(
                            found, event.seq() == 0 ? OptionalLong.empty() : OptionalLong.of(event.seq()));
                }
            }
            to = Math.max(0, to - PAGE);
        }
        return new RecallFindings(found, OptionalLong.empty());
    }

    private static RecallPassage passage(
            RecallQuery query, SessionEvent event, long hiddenBy, String text, int from, int to) {
        int first = from;
        for (int i = 0; i < query.context() && first > 0; i++) {
            first = text.offsetByCodePoints(first, -1);
        }
        int last = to;
        for (int i = 0; i < query.context() && last < text.length(); i++) {
            last = text.offsetByCodePoints(last, 1);
        }
        long turn = event.place().turn();
        return new RecallPassage(
                event.seq(),
                event.type(),
                turn == 0 ? OptionalLong.empty() : OptionalLong.of(turn),
                hiddenBy,
                text.codePointCount(0, first),
                text.substring(first, last),
                text.codePointCount(0, text.length()));
    }

    /** What took each hidden event off the surface. */
    private Map<Long, Long> hiddenBy(SessionId session) {
        Map<Long, Long> by = new HashMap<>();
        queries.replacements(session).forEach(replacement -> {
            for (long seq : replacement.shadowed().toArray()) {
                by.put(seq, replacement.seq());
            }
        });
        return by;
    }

    /** What stands on the surface now: what hid it may have been hidden in turn. */
    private static long top(Map<Long, Long> hiddenBy, long replace) {
        long top = replace;
        for (Long next = hiddenBy.get(top); next != null; next = hiddenBy.get(top)) {
            top = next;
        }
        return top;
    }

    /**
     * What an event says, hidden or not, from a code point on. Cost: O(text of the event).
     *
     * @param offset the first code point, from 0; beyond the end there is nothing
     * @param most how many are given at most, from 1; never more than 100,000
     * @throws IllegalArgumentException if there is no such event or it is on no surface type
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     */
    public RecalledText read(SessionId session, long seq, int offset, int most) {
        if (offset < 0 || most < 1) {
            throw new IllegalArgumentException(
                    "expected an offset from 0 and at least one code point, found " + offset + " and " + most);
        }
        List<SessionEvent> events = seq < 0 ? List.of() : queries.surfaceEvents(session, seq, seq + 1);
        if (events.isEmpty()) {
            throw new IllegalArgumentException("expected the seq of a message in session \"" + session
                    + "\", found " + seq
                    + (seq >= 0 && seq < queries.nextSeq(session)
                            ? ", which is an event that the model never saw"
                            : ", which the session does not hold"));
        }
        String text = EventText.of(events.get(0));
        int length = text.codePointCount(0, text.length());
        int begin = Math.min(offset, length);
        int from = text.offsetByCodePoints(0, begin);
        int to = text.offsetByCodePoints(from, Math.min(Math.min(most, MOST_TEXT), length - begin));
        return new RecalledText(seq, events.get(0).type(), begin, text.substring(from, to), length);
    }
}
