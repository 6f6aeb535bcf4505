package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredSession;
import java.io.IOException;

/** Does something to every session of a store, newest first; whatever is wrong with one, the others are come to. */
final class AllSessions {

    /** Returns whether all was well. */
    interface Action {
        boolean on(SessionId session) throws IOException;
    }

    private AllSessions() {}

    /**
     * Returns whether all was well with all of them.
     *
     * @param unlisted what to say of a session that is damaged so that it cannot even be listed
     */
    static boolean each(SessionQueries queries, Output out, String unlisted, Action action) throws IOException {
        boolean well = true;
        SessionFilter filter = SessionFilter.all();
        while (true) {
            SessionPage page = queries.list(filter);
            for (StoreFault fault : page.damaged()) {
                out.line("a session that cannot be listed" + unlisted);
                out.line("  fault: " + ShownText.visible(fault.toString()));
                well = false;
            }
            for (StoredSession stored : page.sessions()) {
                well &= action.on(stored.id());
            }
            if (page.next().isEmpty()) {
                return well;
            }
            filter = filter.before(page.next().getAsLong());
        }
    }
}
