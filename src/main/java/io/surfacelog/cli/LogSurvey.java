package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import io.surfacelog.transfer.JsonlRest;
import io.surfacelog.transfer.LogEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What is found by folding a log file without storing it: needed where something must be known of all of it before any of
 * it is stored.
 *
 * @param undeclared types that must be declared before the log can be kept
 * @param damage what the fold ended at; null if nothing was refused
 */
record LogSurvey(Set<String> undeclared, @Nullable Damage damage) {

    /**
     * What keeps a file from being imported whole.
     *
     * @param refusal why, with its line
     * @param rest what is left out because of it
     */
    record Damage(AdmissionException refusal, JsonlRest rest) {}

    /** Nothing was looked for. */
    static final LogSurvey NONE = new LogSurvey(Set.of(), null);

    /**
     * Folds a file.
     *
     * @param declared the types that are declared
     * @param keepUnknown whether others pass
     * @param salvage whether a refusal ends the fold instead of being thrown
     * @throws AdmissionException at the first line that is refused, with its number
     */
    static LogSurvey of(
            Path file,
            LogEvents.Reading reading,
            EventTypes declared,
            boolean keepUnknown,
            boolean salvage,
            LongConsumer progress)
            throws IOException {
        EventTypes types = keepUnknown ? EventTypes.any() : declared;
        SurfacePlanner planner = Surface.empty().planner(new SurfaceRules(types, StructureMode.REPORT));
        Set<String> undeclared = new TreeSet<>();
        try (LogEvents log = LogEvents.open(file, reading, progress)) {
            try {
                while (log.hasNext()) {
                    EventCandidate candidate = log.next();
                    planner.fold(candidate);
                    if (!candidate.ignorable() && !declared.isDeclared(candidate.type())) {
                        undeclared.add(candidate.type());
                    }
                }
                return new LogSurvey(undeclared, null);
            } catch (AdmissionException e) {
                AdmissionException refusal = placed(e, log);
                if (!salvage) {
                    throw refusal;
                }
                return new LogSurvey(undeclared, new Damage(refusal, log.leaveOut()));
            }
        }
    }

    /** The same refusal with the line that its event stands in. */
    static AdmissionException placed(AdmissionException e, LogEvents log) {
        // what has no event was refused by the reader, which knows its line if there is one
        return e.line().isPresent() || e.at().isEmpty() ? e : e.line(log.line());
    }

    LogEvents.Reading reading(LogEvents.Reading whole) {
        return damage == null ? whole : whole.without(damage.rest());
    }
}
