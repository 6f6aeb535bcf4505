package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import io.surfacelog.transfer.JsonlTail;
import io.surfacelog.transfer.MarkerStamp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A log file, read whole and folded line by line. The door it goes through folds it once more; this fold comes first so that
 * a file is refused before anything is made, and at the first line that deserves it, as {@code check} does.
 */
final class IncomingLog {

    /**
     * What a file is read by.
     *
     * @param types the types that are declared
     * @param limits how large an event may be
     * @param keepUnknown whether other types pass as opaque log-only ones
     * @param stampMarkers whether a log older than markers gets them
     */
    record Rules(EventTypes types, EventLimits limits, boolean keepUnknown, boolean stampMarkers) {}

    private final SessionHeader header;
    private final Rules rules;
    private final SurfacePlanner planner;
    private final List<EventCandidate> events = new ArrayList<>();
    private final Set<String> undeclared = new TreeSet<>();
    private long[] firstOfLine = new long[64];
    private int lines;
    private JsonlTail tail = new JsonlTail(0, 0);

    private IncomingLog(SessionHeader header, Rules rules) {
        this.header = header;
        this.rules = rules;
        EventTypes types = rules.keepUnknown() ? EventTypes.any() : rules.types();
        this.planner = Surface.empty().planner(new SurfaceRules(types, StructureMode.REPORT));
    }

    /**
     * Reads a file.
     *
     * @param meetsHeader is given the header before anything else is read, and may refuse it
     * @param progress is told how many bytes have been read
     * @throws AdmissionException at the first line that is refused, with its number
     */
    static IncomingLog read(Path file, Rules rules, Consumer<SessionHeader> meetsHeader, LongConsumer progress)
            throws IOException {
        MarkerStamp stamp = rules.stampMarkers() ? survey(file, rules) : null;
        try (JsonlReader reader = JsonlReader.open(file, rules.limits())) {
            meetsHeader.accept(reader.header());
            IncomingLog log = new IncomingLog(reader.header(), rules);
            for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                log.take(stamp == null ? line : stamp.apply(line));
                progress.accept(line.offset() + line.bytes());
            }
            log.tail = reader.tail();
            return log;
        }
    }

    private static MarkerStamp survey(Path file, Rules rules) throws IOException {
        try (JsonlReader reader = JsonlReader.open(file, rules.limits())) {
            return MarkerStamp.survey(reader);
        }
    }

    private void take(JsonlLine line) {
        if (lines == firstOfLine.length) {
            firstOfLine = Arrays.copyOf(firstOfLine, lines * 2);
        }
        firstOfLine[lines++] = line.firstIndex();
        for (EventCandidate candidate : line.events()) {
            try {
                planner.fold(candidate);
            } catch (AdmissionException e) {
                throw e.line(line.number());
            }
            if (!candidate.ignorable() && !rules.types().isDeclared(candidate.type())) {
                undeclared.add(candidate.type());
            }
            events.add(candidate);
        }
    }

    SessionHeader header() {
        return header;
    }

    List<EventCandidate> events() {
        return events;
    }

    /** Types that must be declared before the log can be kept; empty unless unknown ones are to be. */
    Set<String> undeclared() {
        return undeclared;
    }

    /** The types its events have and may have. */
    EventTypes types() {
        return rules.types().with(undeclared);
    }

    /** What the log comes to. */
    Surface surface() {
        return planner.surface();
    }

    JsonlTail tail() {
        return tail;
    }

    /** The same refusal with the line that its event stands in; all members of a row stand in one. */
    AdmissionException placed(AdmissionException e) {
        if (e.line().isPresent() || e.at().isEmpty() || lines == 0) {
            return e;
        }
        int found = Arrays.binarySearch(firstOfLine, 0, lines, e.at().getAsLong());
        // the header is line 1, so the first line of events is 2
        return e.line((found >= 0 ? found : -found - 2) + 2L);
    }
}
