package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.UnknownSessionException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at every row of one session: its own, its events and those of its prefix, its keys. */
final class SessionVerification {

    private static final String BY_INDEX = "SELECT " + SessionRow.COLUMNS + """

            FROM session
            WHERE id = ?
            """;

    private static final String BY_TABLE = "SELECT " + SessionRow.COLUMNS + """

            FROM session NOT INDEXED
            WHERE id = ?
            """;

    private static final String EVENTS = "SELECT " + EventRow.COLUMNS + """

            FROM event
            WHERE key >= ? AND key < ?
            ORDER BY key
            """;

    private static final String KEYS = """
            SELECT session, key, first_seq, n, checksum
            FROM idempotency_key
            WHERE session = ?
            """;

    private static final String LEASES = "SELECT " + LeaseRow.COLUMNS + """

            FROM lease
            WHERE session = ?
            """;

    private final SqliteLink link;
    private final SessionId id;
    private final Faults faults = new Faults();
    private long number;
    private @Nullable SessionRow session;
    private boolean comparable = true;

    SessionVerification(SqliteLink link, SessionId id) {
        this.link = link;
        this.id = id;
    }

    List<StoreFault> run() throws SQLException {
        faults.check(id, "session", this::findSession);
        if (number == 0 && faults.all().isEmpty()) {
            throw new UnknownSessionException(id);
        }
        if (number != 0) {
            faults.check(id, "event", this::checkEvents);
            faults.check(id, "idempotency_key", this::checkKeys);
            faults.check(id, LeaseRow.TABLE, this::checkLeases);
        }
        return faults.all();
    }

    private void findSession() throws SQLException, DamagedRow {
        if (!findSession(BY_INDEX) && findSession(BY_TABLE)) {
            faults.add(id, "session", "expected the index of ids to lead to it, found nothing there");
        }
        if (session != null) {
            session.stored();
        }
    }

    private boolean findSession(String sql) throws SQLException, DamagedRow {
        PreparedStatement find = link.statement(sql);
        find.setString(1, StoredText.encode(id.value()));
        try (ResultSet row = find.executeQuery()) {
            if (!row.next()) {
                return false;
            }
            number = row.getLong(1);
            session = SessionRow.read(row, 1);
            return true;
        }
    }

    private void checkEvents() throws SQLException, DamagedRow {
        SessionRow expected = session;
        if (expected == null) {
            // without its row nothing is known of a prefix; its own rows are looked at all the same
            checkRows(new Segment(0, EventRow.MAX_EVENTS, number), true);
            return;
        }
        long inherited = 0;
        for (Segment part : Segment.of(link, expected)) {
            boolean own = part.owner() == number;
            List<EventRow> surface = checkRows(own ? new Segment(part.from(), EventRow.MAX_EVENTS, number) : part, own);
            inherited += own ? 0 : surface.size();
            if (own && comparable) {
                compare("inherited surface events", expected.inheritedSurface(), inherited);
                compare(expected, surface);
            }
        }
    }

    /** Looks at every row of the part; returns those of surface events. */
    private List<EventRow> checkRows(Segment part, boolean own) throws SQLException {
        List<EventRow> surface = new ArrayList<>();
        // of a prefix, the last row may go on beyond it, and the first may begin before it
        long next = part.from();
        PreparedStatement select = link.statement(EVENTS);
        select.setLong(1, EventRow.key(part.owner(), own ? 0 : part.from()));
        select.setLong(2, EventRow.key(part.owner(), part.to()));
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                long seq = EventRow.seqOf(row.getLong(1));
                if (seq < next) {
                    faults.addEvent(id, seq, "expected no row here, since event " + next + " is next, found one");
                } else if (seq > next && (own || next > part.from())) {
                    faults.addEvent(id, next, "expected a row, found none before event " + seq);
                }
                long end = seq + Math.max(1, Math.min(row.getLong(2), EventRow.MAX_RUN));
                if (own && session != null && end > session.nextSeq()) {
                    faults.addEvent(id, seq, "expected no row beyond the tail " + session.nextSeq() + ", found one");
                }
                next = Math.max(next, end);
                try {
                    EventRow read = EventRow.read(row, id);
                    read.events(id, link.compression());
                    if (read.isSurface()) {
                        surface.add(read);
                    }
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                    comparable = false;
                }
            }
        }
        long tail = own ? (session == null ? 0 : session.nextSeq()) : part.to();
        if (next < tail) {
            faults.addEvent(id, next, "expected rows up to event " + tail + ", found none from here");
        }
        return surface;
    }

    /** Count and hash say something new only where every row could be read. */
    private void compare(SessionRow expected, List<EventRow> surface) {
        SessionRow found = SessionRow.counting(expected.firstSeq()).with(surface);
        compare("surface events", expected.surfaceCount(), found.surfaceCount());
        compare("the hash of the surface", expected.surfaceHash(), found.surfaceHash());
    }

    private void compare(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            faults.add(id, "session", "expected " + what + " to be " + expected + ", found " + found);
        }
    }

    private void checkKeys() throws SQLException {
        PreparedStatement select = link.statement(KEYS);
        select.setLong(1, number);
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                try {
                    KeyRow read = KeyRow.read(row, id);
                    if (session != null) {
                        read.keyed(session);
                    }
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                }
            }
        }
    }

    private void checkLeases() throws SQLException {
        PreparedStatement select = link.statement(LEASES);
        select.setLong(1, number);
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                try {
                    LeaseRow.read(row, number, id);
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                }
            }
        }
    }
}
