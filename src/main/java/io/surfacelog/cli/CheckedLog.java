package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonParts;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.provider.Provider;
import io.surfacelog.surface.Closers;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.Replacements;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import java.util.List;

/** Folds one log without storing it. Memory grows with the surface and the replaces, not with the log. */
final class CheckedLog {

    private final CheckSettings settings;
    private final SurfacePlanner planner;
    private final Replacements replacements = new Replacements();

    CheckedLog(CheckSettings settings) {
        this.settings = settings;
        this.planner = Surface.empty().planner(settings.rules());
    }

    /**
     * Admits and folds one event.
     *
     * @throws AdmissionException if it is refused
     * @throws io.surfacelog.surface.StructureException if the structure rules are enforced and it breaks one
     */
    SessionEvent add(EventCandidate candidate) {
        SessionEvent event = planner.fold(candidate);
        replacements.add(event);
        return event;
    }

    /** What the log comes to; recovery reads from the log what the surface does not hold. */
    CheckAnswer answer(LogReader log) {
        Surface surface = planner.surface();
        List<SessionEvent> closers = Closers.of(surface, log, settings.recovery());
        Surface recovered = closers.isEmpty() ? surface : surface.plan(closers).after();
        CheckAnswer accepted = CheckAnswer.accepted(surface, replacements.found(), closers, recovered);
        Provider provider = settings.provider();
        return provider == null ? accepted : accepted.withRequest(SurfaceRequest.of(provider, surface));
    }

    /** The header, admitted. Another version is told as such, whatever else is wrong with it. */
    static SessionHeader header(JsonParts.Part part) {
        Json json = part.value();
        AdmissionException fault = part.fault();
        if (fault == null) {
            return SessionHeader.of(json);
        }
        try {
            SessionHeader.of(json);
        } catch (AdmissionException e) {
            if (e.rule() == AdmissionRule.HEAD_VERSION) {
                throw e;
            }
        }
        throw fault;
    }

    /**
     * Refuses a header that is not of this session.
     *
     * @throws AdmissionException {@code head.id}
     */
    static void requireId(SessionHeader header, String expected) {
        if (!header.id().value().equals(expected)) {
            throw new AdmissionException(
                    AdmissionRule.HEAD_ID,
                    "expected the header of session " + JsonString.of(expected).toText() + ", found that of "
                            + JsonString.of(header.id().value()).toText());
        }
    }
}
