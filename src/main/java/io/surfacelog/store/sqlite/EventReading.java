package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.store.EventRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads events of one session within one snapshot, and makes sure that none is missing: of all events by their seqs, of
 * one kind by counting those outside of what was read against the session's row.
 */
final class EventReading {

    /**
     * What was read.
     *
     * @param from where it begins, at most the tail
     * @param next behind the last event; behind the last that could be, if there are no more
     * @param surfaceHash the running hash over the surface events up to here
     * @param last whether the range ends here
     */
    record Page(List<SessionEvent> events, long from, long next, long surfaceHash, boolean last) {}

    private final SqliteLink link;
    private final SessionRow session;
    private final EventRange range;
    private final EventSelection selection;

    EventReading(SqliteLink link, SessionRow session, EventRange range) {
        this.link = link;
        this.session = session;
        this.range = range;
        this.selection = EventSelection.of(range.kind());
    }

    /** The whole range, checked. */
    List<SessionEvent> events() throws SQLException, DamagedRow {
        Page page = page(Long.MAX_VALUE, SessionRow.NO_SURFACE);
        expectCount(count(0, page.from()) + page.events().size() + count(page.next(), session.nextSeq()));
        if (page.from() == 0) {
            expectHashAtTail(page);
        }
        return page.events();
    }

    /**
     * Reads from the start of the range.
     *
     * @param maxBytes ends the page behind the event that reaches it
     * @param surfaceHash the running hash over the surface events before the range
     */
    Page page(long maxBytes, long surfaceHash) throws SQLException, DamagedRow {
        long from = Math.min(range.from(), session.nextSeq());
        long to = Math.max(from, Math.min(range.to(), session.nextSeq()));
        long limit = Math.min(range.limit(), to - from);
        List<SessionEvent> events = new ArrayList<>((int) Math.min(limit, 1_000));
        long hash = surfaceHash;
        long next = from;
        PreparedStatement select = link.statement(selection.rows());
        select.setLong(1, EventRow.key(session.number(), from));
        select.setLong(2, EventRow.key(session.number(), to));
        select.setLong(3, limit);
        try (ResultSet row = select.executeQuery()) {
            long bytes = 0;
            while (bytes < maxBytes && events.size() < limit) {
                if (!row.next()) {
                    if (selection == EventSelection.ALL) {
                        throw DamagedRow.event(session.sessionId(), next, "expected a row, found none");
                    }
                    next = to;
                    break;
                }
                EventRow read = read(row, next, to);
                if (read.event().isSurface()) {
                    hash = SessionRow.chain(hash, read.checksum());
                }
                events.add(read.event());
                next = read.seq() + read.n();
                bytes += read.bytes();
            }
        } catch (SQLException e) {
            if (SqliteErrors.isDamage(e)) {
                throw DamagedRow.event(session.sessionId(), next, "SQLite cannot read it: " + e.getMessage());
            }
            throw e;
        }
        return new Page(events, from, next, hash, next >= to);
    }

    private EventRow read(ResultSet row, long next, long to) throws SQLException, DamagedRow {
        EventRow read = EventRow.read(row, session.sessionId());
        boolean inPlace = selection == EventSelection.ALL ? read.seq() == next : read.seq() >= next && read.seq() < to;
        if (!inPlace) {
            throw DamagedRow.event(session.sessionId(), next, "expected it here, found event " + read.seq());
        }
        if (!selection.holds(read.event())) {
            throw DamagedRow.event(
                    session.sessionId(),
                    read.seq(),
                    "found among the events of kind " + selection + ", which it is not");
        }
        return read;
    }

    /**
     * Counts the events of this kind in the whole session, through their index.
     *
     * @throws DamagedRow if one has vanished or appeared
     */
    void expectAllCounted() throws SQLException, DamagedRow {
        expectCount(count(0, session.nextSeq()));
    }

    private void expectCount(long found) throws DamagedRow {
        if (selection != EventSelection.ALL && found != selection.count(session)) {
            throw DamagedRow.of(
                    session.sessionId(),
                    "event",
                    "expected " + selection.count(session) + " events of kind " + selection + ", found " + found);
        }
    }

    /**
     * Compares the running hash with the session's, if all surface events up to the tail have been read.
     *
     * @throws DamagedRow if they are not those that were written
     */
    void expectHashAtTail(Page page) throws DamagedRow {
        if (page.next() >= session.nextSeq() && page.surfaceHash() != session.surfaceHash()) {
            throw DamagedRow.of(
                    session.sessionId(),
                    "event",
                    "expected the surface events to have hash " + session.surfaceHash() + ", found "
                            + page.surfaceHash());
        }
    }

    /** How many of this kind lie between; nothing is read of events of all kinds, whose seqs tell. */
    long count(long from, long to) throws SQLException {
        if (from >= to || selection == EventSelection.ALL) {
            return 0;
        }
        PreparedStatement count = link.statement(selection.counting());
        count.setLong(1, EventRow.key(session.number(), from));
        count.setLong(2, EventRow.key(session.number(), to));
        try (ResultSet row = count.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
