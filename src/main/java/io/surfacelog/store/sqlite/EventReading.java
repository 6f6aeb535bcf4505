package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.store.EventRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads events of one session within one snapshot, and makes sure that none is missing: of all events by their seqs, of
 * one kind by adding up those outside of what was read, and comparing all with the session's row.
 */
final class EventReading {

    /**
     * A part of the range.
     *
     * @param start where the range begins, at most the tail
     * @param next behind the last event; behind the last that could be, if there are no more
     * @param read the events read from the start to here
     * @param surfaceHash the running hash over those on surface types
     * @param last whether the range ends here
     */
    record Page(List<SessionEvent> events, long start, long next, Tally read, long surfaceHash, boolean last) {}

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

    /** The whole range. */
    List<SessionEvent> events() throws SQLException, DamagedRow {
        return page(null, Long.MAX_VALUE, Long.MAX_VALUE).events();
    }

    /**
     * The first page of the range, or the next one; with the last it is certain that nothing was passed over.
     *
     * @param before the page before, null for the first
     * @param maxBytes ends the page behind the event that reaches it
     */
    Page page(@Nullable Page before, long maxEvents, long maxBytes) throws SQLException, DamagedRow {
        long start = before == null ? Math.min(range.from(), session.nextSeq()) : before.start();
        long next = before == null ? start : before.next();
        Tally total = before == null ? Tally.NOTHING : before.read();
        long hash = before == null ? SessionRow.NO_SURFACE : before.surfaceHash();
        long to = Math.max(next, Math.min(range.to(), session.nextSeq()));
        long limit = Math.min(Math.min(range.limit() - total.count(), maxEvents), to - next);
        List<SessionEvent> events = new ArrayList<>((int) Math.min(limit, 1_000));
        PreparedStatement select = link.statement(selection.rows());
        select.setLong(1, EventRow.key(session.number(), next));
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
                total = total.with(read.seq());
                next = read.seq() + read.n();
                bytes += read.bytes();
            }
        } catch (SQLException e) {
            if (SqliteErrors.isDamage(e)) {
                throw DamagedRow.event(session.sessionId(), next, "SQLite cannot read it: " + e.getMessage());
            }
            throw e;
        }
        Page page = new Page(events, start, next, total, hash, next >= to || total.count() == range.limit());
        if (page.last()) {
            expectNothingPassedOver(page);
        }
        return page;
    }

    private void expectNothingPassedOver(Page end) throws SQLException, DamagedRow {
        if (selection != EventSelection.ALL) {
            expectTally(outside(0, end.start()).plus(end.read()).plus(outside(end.next(), session.nextSeq())));
        }
        if (end.start() == 0 && end.next() >= session.nextSeq() && end.surfaceHash() != session.surfaceHash()) {
            throw DamagedRow.of(
                    session.sessionId(),
                    "event",
                    "expected the surface events to have hash " + session.surfaceHash() + ", found "
                            + end.surfaceHash());
        }
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
        if (selection != EventSelection.ALL) {
            expectTally(outside(0, session.nextSeq()));
        }
    }

    /** How many of this kind have a seq below this one. */
    long countBelow(long seq) throws SQLException, DamagedRow {
        long to = Math.min(seq, session.nextSeq());
        Tally below = outside(0, to);
        expectTally(below.plus(outside(to, session.nextSeq())));
        return below.count();
    }

    private void expectTally(Tally found) throws DamagedRow {
        Tally expected = selection.tally(session);
        if (!found.equals(expected)) {
            throw DamagedRow.of(
                    session.sessionId(),
                    "event",
                    "expected events of kind " + selection + " to be " + expected + ", found " + found);
        }
    }

    /**
     * Adds up events of this kind that are not read, by their index alone. An entry that shows a seq in the range must also
     * lead to one, else it would be counted here and missed where it belongs.
     */
    private Tally outside(long from, long to) throws SQLException, DamagedRow {
        if (from >= to) {
            return Tally.NOTHING;
        }
        long first = EventRow.key(session.number(), from);
        long end = EventRow.key(session.number(), to);
        PreparedStatement select = link.statement(selection.counting());
        select.setLong(1, first);
        select.setLong(2, end);
        try (ResultSet row = select.executeQuery()) {
            row.next();
            Tally tally = new Tally(row.getLong(1), row.getLong(2));
            if (tally.count() > 0 && (row.getLong(3) < first || row.getLong(4) >= end)) {
                throw DamagedRow.of(
                        session.sessionId(),
                        "event",
                        "expected the index of kind " + selection + " to lead to events " + from + " to " + to
                                + ", found keys " + row.getLong(3) + " to " + row.getLong(4));
            }
            return tally;
        }
    }
}
