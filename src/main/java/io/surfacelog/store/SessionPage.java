package io.surfacelog.store;

import java.util.List;
import java.util.OptionalLong;

/**
 * One page of sessions, newest first.
 *
 * @param sessions the sessions
 * @param damaged what stands among them and cannot be read as it was written; it hides no other session
 * @param next where the next page begins, for {@link SessionFilter#before(long)}; empty on the last page
 */
public record SessionPage(List<StoredSession> sessions, List<StoreFault> damaged, OptionalLong next) {

    public SessionPage {
        sessions = List.copyOf(sessions);
        damaged = List.copyOf(damaged);
    }

    /** A page on which everything can be read. */
    public SessionPage(List<StoredSession> sessions, OptionalLong next) {
        this(sessions, List.of(), next);
    }
}
