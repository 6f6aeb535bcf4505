package io.surfacelog.command;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.util.List;
import java.util.Optional;

/**
 * Create a session.
 *
 * @param header its header
 * @param log the events it begins with, numbered from 0
 * @param origin what the events are
 * @param types the types they may have; empty for those the application declares
 */
public record CreateSession(SessionHeader header, List<EventCandidate> log, Origin origin, Optional<EventTypes> types)
        implements SessionCommand<Appended> {

    /** What the events of a new session are. */
    public enum Origin {
        /** A log to replay: {@code session/end-seed} follows it, unless it ends in one. */
        SEED,
        /** A log kept elsewhere until now: it is stored as it is. */
        IMPORT
    }

    public CreateSession {
        log = List.copyOf(log);
    }

    /** A session without events. */
    public static CreateSession empty(SessionHeader header) {
        return new CreateSession(header, List.of(), Origin.IMPORT, Optional.empty());
    }

    /** A session that begins with a log to replay. */
    public static CreateSession seeded(SessionHeader header, List<EventCandidate> log) {
        return new CreateSession(header, log, Origin.SEED, Optional.empty());
    }

    /** A session that takes over a log as it is. */
    public static CreateSession imported(SessionHeader header, List<EventCandidate> log, EventTypes types) {
        return new CreateSession(header, log, Origin.IMPORT, Optional.of(types));
    }

    @Override
    public SessionId session() {
        return header.id();
    }
}
