package io.surfacelog.web;

import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;

/** Where logs end, also those of which something is damaged: what can be read of them is asked for by seq. */
final class LogEnd {

    private final SessionQueries queries;
    private final EventStore store;

    LogEnd(SessionQueries queries, EventStore store) {
        this.queries = queries;
        this.store = store;
    }

    /** The next seq, after what another process has committed was taken in. */
    long nextSeq(SessionId id) {
        try {
            return queries.refresh(id).nextSeq();
        } catch (DamagedStoreException e) {
            // its surface cannot be made, and the row of the session tells its end all the same
            return store.find(id).map(StoredSession::nextSeq).orElseThrow(() -> new UnknownSessionException(id));
        }
    }
}
