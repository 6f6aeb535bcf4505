package io.surfacelog.store.sqlite;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.store.EventRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads single events of one session within one snapshot, wherever they stand: many with one statement where they have
 * rows of their own, each by itself where it is packed with others.
 */
final class EventPicking {

    private static final String ROWS = """
            SELECT e.key, e.n, e.type, e.time, e.ignorable, e.surface_op, e.source_event_seqs, e.checksum, e.data
            FROM json_each(?) wanted
            JOIN event e ON e.key = wanted.value
            WHERE e.n = 1
            """;

    private static final int AT_ONCE = 500;

    private final SqliteLink link;
    private final SessionRow session;
    private final List<Segment> segments;

    EventPicking(SqliteLink link, SessionRow session) throws SQLException, DamagedRow {
        this.link = link;
        this.session = session;
        this.segments = Segment.of(link, session);
    }

    List<SessionEvent> events(EventSeqs seqs) throws SQLException, DamagedRow {
        long[] wanted = seqs.toArray();
        List<SessionEvent> events = new ArrayList<>(wanted.length);
        for (int from = 0; from < wanted.length; from += AT_ONCE) {
            int to = Math.min(wanted.length, from + AT_ONCE);
            Map<Long, SessionEvent> found = rowsOfTheirOwn(wanted, from, to);
            for (int i = from; i < to; i++) {
                SessionEvent event = found.get(wanted[i]);
                events.add(event == null ? packed(wanted[i]) : event);
            }
        }
        return events;
    }

    private Map<Long, SessionEvent> rowsOfTheirOwn(long[] wanted, int from, int to) throws SQLException, DamagedRow {
        StringBuilder keys = new StringBuilder("[");
        for (int i = from; i < to; i++) {
            keys.append(i == from ? "" : ",").append(key(wanted[i]));
        }
        Map<Long, SessionEvent> found = new HashMap<>();
        PreparedStatement select = link.statement(ROWS);
        select.setString(1, keys.append(']').toString());
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                EventRow read = EventRow.read(row, session.sessionId());
                for (SessionEvent event : read.events(session.sessionId(), link.compression())) {
                    found.put(event.seq(), event);
                }
            }
        } catch (SQLException e) {
            if (SqliteErrors.isDamage(e)) {
                throw DamagedRow.of(session.sessionId(), "event", "SQLite cannot read it: " + e.getMessage());
            }
            throw e;
        }
        return found;
    }

    private long key(long seq) {
        for (Segment segment : segments) {
            if (seq >= segment.from() && seq < segment.to()) {
                return EventRow.key(segment.owner(), seq);
            }
        }
        throw new IllegalArgumentException("session \"" + session.sessionId() + "\" has no event " + seq);
    }

    private SessionEvent packed(long seq) throws SQLException, DamagedRow {
        return new EventReading(link, session, EventRange.of(seq, seq + 1))
                .events()
                .get(0);
    }
}
