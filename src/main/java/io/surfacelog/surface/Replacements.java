package io.surfacelog.surface;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Folds the replaces of a log on request; the surface itself does not remember what it no longer shows. */
public final class Replacements {

    private PersistentList<Long> nodes = PersistentList.empty();
    private final List<Replacement> found = new ArrayList<>();

    /** The replaces among these admitted events of a log, in log order. Cost: O(surface events and what they hide). */
    public static List<Replacement> of(Iterable<SessionEvent> log) {
        Replacements fold = new Replacements();
        log.forEach(fold::add);
        return fold.found();
    }

    /**
     * Folds one more admitted event.
     *
     * @return the replacement, if it is one
     */
    public Optional<Replacement> add(SessionEvent event) {
        if (!event.isSurface()) {
            return Optional.empty();
        }
        if (!(event.intent().orElseThrow().op() instanceof SurfaceOp.Replace replace)) {
            nodes = nodes.append(event.seq());
            return Optional.empty();
        }
        int first = position(replace.start());
        int last = position(replace.end());
        EventSeqs.Builder shadowed = EventSeqs.builder();
        for (int i = first; i <= last; i++) {
            shadowed.add(nodes.get(i));
        }
        nodes = nodes.replace(first, last, event.seq());
        Replacement replacement = new Replacement(event.seq(), replace.start(), replace.end(), shadowed.build());
        found.add(replacement);
        return Optional.of(replacement);
    }

    /** The replaces folded so far, in log order. */
    public List<Replacement> found() {
        return List.copyOf(found);
    }

    private int position(long seq) {
        for (int i = nodes.size() - 1; i >= 0; i--) {
            if (nodes.get(i) == seq) {
                return i;
            }
        }
        throw new IllegalArgumentException("event " + seq + " is not on the surface: the log was not admitted");
    }
}
