package io.surfacelog.projection;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.Replacement;
import java.util.List;
import java.util.Optional;

/**
 * Where an event comes from and what became of it.
 *
 * @param event the event
 * @param cites the earlier events it was made of
 * @param citedBy the later events that were made of it
 * @param replaces what it took off the surface, empty unless it is a replace
 * @param replacedBy what took it off the surface, empty while it is on it or if it never was
 * @param chain from the event itself over what replaced it, and what replaced that, to the top
 * @param onSurface whether the event itself is on the surface now
 */
public record Provenance(
        SessionEvent event,
        EventSeqs cites,
        EventSeqs citedBy,
        Optional<Replacement> replaces,
        Optional<Replacement> replacedBy,
        List<Long> chain,
        boolean onSurface) {}
