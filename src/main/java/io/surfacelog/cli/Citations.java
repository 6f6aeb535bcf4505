package io.surfacelog.cli;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Replacements;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who cites whom among the events of a log, and what took the place of what: read in one pass, without what the events
 * say. Memory: O(surface events).
 */
final class Citations {

    private final Map<Long, SurfaceIntent> intents = new HashMap<>();
    private final Map<Long, Replacement> replacements = new HashMap<>();
    private final EventSeqs.Builder citing = EventSeqs.builder();
    private final SurfaceStates states;

    /** Of a log, with a view to one event of it. Cost: O(surface events). */
    Citations(EventStore store, SessionId id, long target) {
        Replacements fold = new Replacements();
        store.forEach(id, EventRange.all().kind(EventRange.Kind.SURFACE), event -> {
            SurfaceIntent intent = event.intent().orElseThrow();
            intents.put(event.seq(), intent);
            fold.add(event).ifPresent(replacement -> replacements.put(event.seq(), replacement));
            if (intent.sourcesOrNone().contains(target)) {
                citing.add(event.seq());
            }
        });
        this.states = SurfaceStates.of(fold.found());
    }

    /** The events that cite the one this was made for, in log order. */
    EventSeqs citedBy() {
        return citing.build();
    }

    /** What an event cites, in the order it gives. */
    EventSeqs cites(long seq) {
        SurfaceIntent intent = intents.get(seq);
        return intent == null ? EventSeqs.NONE : intent.sourcesOrNone();
    }

    boolean isSurface(long seq) {
        return intents.containsKey(seq);
    }

    /** What an event took off the surface; null unless it replaces something. */
    @Nullable
    Replacement replacement(long seq) {
        return replacements.get(seq);
    }

    /** From the event itself over what took its place, and what took the place of that, to the top. */
    List<Long> chain(long seq) {
        List<Long> chain = new ArrayList<>();
        // each is shadowed by a later one, so this ends
        for (Long top = seq; top != null; top = states.shadowedBy(top)) {
            chain.add(top);
        }
        return chain;
    }

    String state(SessionEvent event) {
        return states.of(event);
    }

    Ink ink(SessionEvent event) {
        return states.ink(event);
    }
}
