package io.surfacelog.store;

import java.util.List;
import java.util.OptionalLong;

/**
 * One page of sessions, newest first.
 *
 * @param sessions the sessions
 * @param next where the next page begins, for {@link SessionFilter#before(long)}; empty on the last page
 */
public record SessionPage(List<StoredSession> sessions, OptionalLong next) {

    public SessionPage {
        sessions = List.copyOf(sessions);
    }
}
