package io.surfacelog.cli;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Replacement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where each event of a log stands now: on the surface, taken off it by another one, or never on it. */
final class SurfaceStates {

    private final Map<Long, Long> shadowedBy = new HashMap<>();

    private SurfaceStates() {}

    /** By the first events of a log. Cost: O(surface events). */
    static SurfaceStates of(SessionQueries queries, SessionId id, long events) {
        return of(queries.replacements(id).stream()
                .filter(replacement -> replacement.seq() < events)
                .toList());
    }

    static SurfaceStates of(List<Replacement> replacements) {
        SurfaceStates states = new SurfaceStates();
        for (Replacement replacement : replacements) {
            replacement.shadowed().forEach(seq -> states.shadowedBy.put(seq, replacement.seq()));
        }
        return states;
    }

    /** What took the event off the surface; null if nothing did. */
    @Nullable
    Long shadowedBy(long seq) {
        return shadowedBy.get(seq);
    }

    String of(SessionEvent event) {
        Long by = shadowedBy(event.seq());
        return !event.isSurface() ? "log-only" : by == null ? "current" : "shadowed by " + by;
    }

    Ink ink(SessionEvent event) {
        return !event.isSurface() || shadowedBy(event.seq()) != null
                ? Ink.FAINT
                : event.intent().orElseThrow().isAppend() ? Ink.PLAIN : Ink.ACCENT;
    }

    /** The event and its state as one object. */
    JsonObject json(SessionEvent event) {
        Long by = shadowedBy(event.seq());
        return JsonObject.builder()
                .put("seq", event.seq())
                .put("surface", !event.isSurface() ? "log-only" : by == null ? "current" : "shadowed")
                .putIfPresent("shadowedBy", by)
                .put("event", event.toJson())
                .build();
    }
}
