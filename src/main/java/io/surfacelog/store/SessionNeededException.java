package io.surfacelog.store;

import io.surfacelog.event.SessionId;
import java.util.List;

/**
 * The session cannot be erased alone: others hold events of it, or name it as their parent. Nothing was changed. Erase
 * those first, or all together.
 */
public final class SessionNeededException extends StoreException {

    private static final long serialVersionUID = 1L;

    private final String session;
    private final List<String> neededBy;

    public SessionNeededException(SessionId session, List<SessionId> neededBy) {
        super("session \"" + session + "\" cannot be erased alone, since " + neededBy.size()
                + (neededBy.size() == 1 ? " other needs it: " : " others need it: ") + neededBy
                + "; erase those first, or erase with cascade, which erases them too");
        this.session = session.value();
        this.neededBy = neededBy.stream().map(SessionId::value).toList();
    }

    public SessionId session() {
        return SessionId.of(session);
    }

    /** All sessions that hold events of it or name it as their parent, oldest first. */
    public List<SessionId> neededBy() {
        return neededBy.stream().map(SessionId::of).toList();
    }
}
