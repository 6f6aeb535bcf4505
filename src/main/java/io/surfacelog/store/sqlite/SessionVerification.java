package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.UnknownSessionException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at every row of one session: its own, its events in its table and in both indexes, its keys. */
final class SessionVerification {

    private static final String BY_INDEX = """
            SELECT number, id, header, created_at, parent,
                   next_seq, surface_count, surface_sum, plain_count, plain_sum, surface_hash, checksum
            FROM session
            WHERE id = ?
            """;

    private static final String BY_TABLE = """
            SELECT number, id, header, created_at, parent,
                   next_seq, surface_count, surface_sum, plain_count, plain_sum, surface_hash, checksum
            FROM session NOT INDEXED
            WHERE id = ?
            """;

    private static final String KEYS = """
            SELECT session, key, first_seq, n, checksum
            FROM idempotency_key
            WHERE session = ?
            """;

    private final SqliteLink link;
    private final SessionId id;
    private final Faults faults = new Faults();
    private long number;
    private @Nullable SessionRow session;

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

    private void checkEvents() throws SQLException {
        // counts and hash say something new only where every row could be read
        SessionRow expected = session;
        SessionRow found = SessionRow.empty(number);
        boolean comparable = expected != null;
        long next = 0;
        PreparedStatement select = link.statement(EventSelection.ALL.rows());
        select.setLong(1, EventRow.key(number, 0));
        select.setLong(2, EventRow.key(number, EventRow.MAX_EVENTS));
        select.setLong(3, EventRow.MAX_EVENTS);
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                long seq = EventRow.seqOf(row.getLong(1));
                if (seq != next) {
                    faults.addEvent(id, next, "expected a row, found none before event " + seq);
                }
                next = seq + 1;
                if (expected != null && seq >= expected.nextSeq()) {
                    faults.addEvent(id, seq, "expected no row beyond the tail " + expected.nextSeq() + ", found one");
                }
                try {
                    EventRow read = EventRow.read(row, id);
                    found = found.with(read.event(), read.checksum());
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                    comparable = false;
                }
            }
        }
        if (expected != null && next < expected.nextSeq()) {
            faults.addEvent(id, next, "expected rows up to the tail " + expected.nextSeq() + ", found none from here");
        }
        if (expected == null || !comparable) {
            return;
        }
        compare("surface events", expected.surface(), found.surface());
        compare("events other than chunks", expected.plain(), found.plain());
        compare("the hash of the surface", expected.surfaceHash(), found.surfaceHash());
        compare("surface events in their index", found.surface(), counted(EventSelection.SURFACE));
        compare("events in the index of what is no chunk", found.plain(), counted(EventSelection.NOT_CHUNK));
    }

    private void compare(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            faults.add(id, "session", "expected " + what + " to be " + expected + ", found " + found);
        }
    }

    private Tally counted(EventSelection selection) throws SQLException {
        PreparedStatement count = link.statement(selection.counting());
        count.setLong(1, EventRow.key(number, 0));
        count.setLong(2, EventRow.key(number, EventRow.MAX_EVENTS));
        try (ResultSet row = count.executeQuery()) {
            row.next();
            return new Tally(row.getLong(1), row.getLong(2));
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
}
