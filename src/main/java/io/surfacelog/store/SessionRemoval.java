package io.surfacelog.store;

import io.surfacelog.event.SessionId;
import java.util.List;

/**
 * What the removal of a session came to.
 *
 * @param session the session that is no more
 * @param events how many events it had of its own; those of a prefix it shared are not among them
 * @param kept how many of those stay, out of sight, because forks need them
 * @param neededBy the forks that need them
 */
public record SessionRemoval(SessionId session, long events, long kept, List<SessionId> neededBy) {

    public SessionRemoval {
        neededBy = List.copyOf(neededBy);
    }
}
