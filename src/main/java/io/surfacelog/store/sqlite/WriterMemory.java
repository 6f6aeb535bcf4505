package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the last commits of this writer left behind, so that the next need not read it again. It holds only for as long as
 * SQLite says that nobody else has written since, which is asked inside each transaction. Guarded by the writer's lock.
 */
final class WriterMemory {

    private static final String DATA_VERSION = "PRAGMA data_version";

    private static final int SESSIONS = 256;

    private final Map<SessionId, SessionRow> sessions = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, SessionRow> eldest) {
            return size() > SESSIONS;
        }
    };

    private @Nullable SqliteLink link;
    private long dataVersion;
    private long position;

    /** A transaction is under way, or has failed: what is kept here may not be what is stored. */
    private boolean unsettled = true;

    /** To be called first in a transaction. */
    void begin(SqliteLink writer) throws SQLException, DamagedRow {
        long version;
        try (ResultSet row = writer.statement(DATA_VERSION).executeQuery()) {
            row.next();
            version = row.getLong(1);
        }
        if (unsettled || !writer.equals(link) || version != dataVersion) {
            unsettled = true;
            sessions.clear();
            position = Catalog.lastPosition(writer);
            link = writer;
            dataVersion = version;
        }
        unsettled = true;
    }

    /** To be called when the transaction is durable. */
    void committed() {
        unsettled = false;
    }

    /** The position of one more commit of this transaction. */
    long nextPosition() {
        return ++position;
    }

    /** The row as it was put here or is stored, null if there is no such session. */
    @Nullable
    SessionRow session(SessionId id) throws SQLException, DamagedRow {
        SessionRow known = sessions.get(id);
        if (known == null && link != null) {
            known = Catalog.session(link, id).orElse(null);
            if (known != null) {
                sessions.put(id, known);
            }
        }
        return known;
    }

    void put(SessionId id, SessionRow row) {
        sessions.put(id, row);
    }

    /** The session is removed in this transaction. */
    void forget(SessionId id) {
        sessions.remove(id);
    }
}
