package io.surfacelog.transfer;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceOp;
import java.io.IOException;
import java.util.List;

/**
 * Gives every surface event of a log the marker {@code append}, if the log is older than markers: if none of its surface
 * events carries one. A log with some markers missing is left as it is, for admission to refuse.
 *
 * <pre>{@code
 * MarkerStamp stamp;
 * try (JsonlReader first = JsonlReader.open(path, limits)) {
 *     stamp = MarkerStamp.survey(first);
 * }
 * try (JsonlReader reader = JsonlReader.open(path, limits)) {
 *     for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
 *         admit(stamp.apply(line));
 *     }
 * }
 * }</pre>
 *
 * <p>Takes two passes over a file, so that memory stays bounded by one line. Immutable.
 */
public final class MarkerStamp {

    private final boolean stamps;
    private final EventLimits limits;

    private MarkerStamp(boolean stamps, EventLimits limits) {
        this.stamps = stamps;
        this.limits = limits;
    }

    /**
     * Reads a file to its end and decides. A refused line ends the survey, which counts what stands before it; the second
     * pass will meet the same fault in its own order.
     */
    public static MarkerStamp survey(JsonlReader reader) throws IOException {
        boolean unmarked = false;
        try {
            for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                EventCandidate candidate = first(line);
                if (EventType.isSurface(candidate.type())) {
                    if (isMarked(candidate)) {
                        return new MarkerStamp(false, reader.limits());
                    }
                    unmarked = true;
                }
            }
        } catch (AdmissionException endsTheSurvey) {
            return new MarkerStamp(unmarked, reader.limits());
        }
        return new MarkerStamp(unmarked, reader.limits());
    }

    /** A line of several events is a chunk row, which holds no surface event: the first tells of all. */
    private static EventCandidate first(JsonlLine line) {
        return line.events().get(0);
    }

    private static boolean isMarked(EventCandidate candidate) {
        return candidate.surfaceOp() != null
                || candidate.event().flatMap(SessionEvent::intent).isPresent();
    }

    /** Whether {@link #apply} changes anything: the log has surface events and none of them a marker. */
    public boolean stamps() {
        return stamps;
    }

    /**
     * The line with its surface events marked, or the same line.
     *
     * @throws AdmissionException {@code limit.event-bytes} if an event becomes too large by its marker
     */
    public JsonlLine apply(JsonlLine line) {
        EventCandidate candidate = first(line);
        if (!stamps || !EventType.isSurface(candidate.type())) {
            return line;
        }
        EventCandidate marked = candidate.withMarker(SurfaceOp.append().toJson());
        try {
            limits.check(marked);
        } catch (AdmissionException e) {
            throw e.at(line.firstIndex()).line(line.number());
        }
        return new JsonlLine(line.number(), line.offset(), line.bytes(), line.firstIndex(), List.of(marked));
    }
}
