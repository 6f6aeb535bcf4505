package io.surfacelog.provider;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects what a rendering does otherwise than the messages say. */
final class Adjustments {

    /** Stands for the whole request, where a message would be named. */
    static final int REQUEST = -1;

    private static final int QUOTED = 80;

    private final List<Adjustment> found = new ArrayList<>();
    private final Set<Integer> replacedIn = new HashSet<>();

    void add(AdjustmentRule rule, int message, String detail) {
        found.add(new Adjustment(rule.code(), message, detail));
    }

    /** The text as a request may hold it; says so, once for each message, where that is another one. */
    String wellFormed(int message, String text) {
        String clean = WellFormed.text(text);
        noteReplaced(message, !clean.equals(text));
        return clean;
    }

    /** The value with all its names and strings as a request may hold them. */
    Json wellFormed(int message, Json value) {
        Json clean = WellFormed.json(value);
        noteReplaced(message, clean != value);
        return clean;
    }

    private void noteReplaced(int message, boolean replaced) {
        if (replaced && replacedIn.add(message)) {
            add(
                    AdjustmentRule.UNICODE_REPLACED,
                    message,
                    "found a surrogate without its pair; the request says U+FFFD instead");
        }
    }

    /** All of them, those of the whole request first, then by message. */
    List<Adjustment> inOrder() {
        found.sort(Comparator.comparingInt(Adjustment::message));
        return List.copyOf(found);
    }

    /** The text in quotes, cut where it is long. */
    static String quoted(String text) {
        return JsonString.of(text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "…")
                .toText();
    }
}
