package io.surfacelog.browser;

import io.surfacelog.cli.Surfacelog;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.testing.LongSession;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The sessions that the inspector is looked at with. */
final class Logs {

    static final String PARCEL = "parcel";

    private Logs() {}

    /**
     * The bundled session: six turns with chunks, parallel calls, tools that failed, a result that was shortened, a compaction,
     * an answer that was cut off, and an open turn at the end.
     */
    static SessionId parcel(Inspected service) {
        List<EventCandidate> events = new ArrayList<>();
        try (JsonlReader reader = JsonlReader.open(
                Objects.requireNonNull(Surfacelog.class.getResourceAsStream("sample-session.jsonl")),
                EventLimits.defaults())) {
            for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                events.addAll(line.events());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return service.importLog(header(PARCEL), events.iterator());
    }

    /** A session of so many events. */
    static SessionId ofEvents(Inspected service, String id, long events) {
        LongSession log = new LongSession(events);
        Stream<EventCandidate> candidates =
                Stream.generate(log::next).limit(events).map(EventCandidate::of);
        return service.importLog(header(id), candidates.iterator());
    }

    /** The session that tries to be more than text. */
    static SessionId hostile(Inspected service) {
        return service.importLog(
                HostileSession.header(),
                HostileSession.events().stream().map(EventCandidate::of).iterator());
    }

    private static SessionHeader header(String id) {
        return SessionHeader.builder()
                .id(SessionId.of(id))
                .createdAt(1_772_442_840_000L)
                .cwd("/srv/support-desk")
                .agentPreset("support")
                .build();
    }
}
