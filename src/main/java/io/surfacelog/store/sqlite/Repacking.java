package io.surfacelog.store.sqlite;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Puts the chunk rows of a step together when its assistant/message is written, in the same transaction: a stream that was
 * committed chunk by chunk then takes no more rows than one that came at once. Seqs, times and texts stay as they are.
 * Cost: O(rows of the step), each of which is put together once.
 */
final class Repacking {

    private static final String ROWS_BACK = """
            SELECT key, n, type
            FROM event
            WHERE key >= ? AND key < ?
            ORDER BY key DESC
            """;

    private static final String ROWS = "SELECT " + EventRow.COLUMNS + """

            FROM event
            WHERE key >= ? AND key < ?
            ORDER BY key
            """;

    private static final String DELETE = """
            DELETE FROM event
            WHERE key >= ? AND key < ?
            """;

    /** Nothing before these belongs to the step, or it was put together with an earlier message of it. */
    private static final Set<String> BOUNDARIES = Set.of(
            EventType.TURN_START,
            EventType.TURN_END,
            EventType.STEP_START,
            EventType.STEP_END,
            EventType.ASSISTANT_MESSAGE,
            EventType.SESSION_END_SEED);

    /** Neighbouring rows of chunks: from one key to another, excluded. */
    private static final class Neighbours {

        private long from;
        private final long to;
        private int rows;

        Neighbours(long to) {
            this.from = to;
            this.to = to;
        }
    }

    private final SqliteLink link;

    Repacking(SqliteLink link) {
        this.link = link;
    }

    /**
     * To be called with every write, for the step whose message is among these events.
     *
     * @param before the session before the write
     * @return the rows to be inserted now in place of those that were removed
     */
    List<EventRow> removeLoose(SessionRow before, List<SessionEvent> written) throws SQLException {
        for (SessionEvent event : written) {
            if (event.type().equals(EventType.ASSISTANT_MESSAGE)) {
                return removeLoose(before);
            }
            if (BOUNDARIES.contains(event.type())) {
                break;
            }
        }
        return List.of();
    }

    private List<EventRow> removeLoose(SessionRow session) throws SQLException {
        List<EventRow> packed = new ArrayList<>();
        for (Neighbours loose : loose(session)) {
            try {
                packed.addAll(remove(session, loose));
            } catch (DamagedRow stays) {
                // as it is, and whoever reads or verifies it is told
            }
        }
        return packed;
    }

    private Deque<Neighbours> loose(SessionRow session) throws SQLException {
        Deque<Neighbours> found = new ArrayDeque<>();
        PreparedStatement select = link.statement(ROWS_BACK);
        select.setLong(1, EventRow.key(session.number(), session.firstSeq()));
        select.setLong(2, EventRow.key(session.number(), session.nextSeq()));
        try (ResultSet row = select.executeQuery()) {
            while (row.next() && !BOUNDARIES.contains(String.valueOf(row.getString(3)))) {
                if (!EventType.ASSISTANT_CHUNK.equals(row.getString(3))) {
                    continue;
                }
                long key = row.getLong(1);
                long end = key + row.getLong(2);
                if (found.isEmpty() || found.getFirst().from != end) {
                    found.addFirst(new Neighbours(end));
                }
                found.getFirst().from = key;
                found.getFirst().rows++;
            }
        }
        found.removeIf(neighbours -> neighbours.rows < 2);
        return found;
    }

    private List<EventRow> remove(SessionRow session, Neighbours loose) throws SQLException, DamagedRow {
        List<SessionEvent> events = new ArrayList<>();
        PreparedStatement select = link.statement(ROWS);
        select.setLong(1, loose.from);
        select.setLong(2, loose.to);
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                EventRow read = EventRow.read(row, session.sessionId());
                events.addAll(read.events(session.sessionId(), link.compression()));
            }
        }
        List<EventRow> packed = RowPacker.rows(session.number(), events, link.compression());
        if (packed.size() >= loose.rows) {
            return List.of();
        }
        PreparedStatement delete = link.statement(DELETE);
        delete.setLong(1, loose.from);
        delete.setLong(2, loose.to);
        delete.executeUpdate();
        return packed;
    }
}
