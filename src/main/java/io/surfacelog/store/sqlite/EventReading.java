package io.surfacelog.store.sqlite;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.store.EventRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads events of one session within one snapshot, and makes sure that none is missing: whichever kind is asked for, it
 * visits every row of the range and expects each to begin where the one before ended. Rows of chunks are passed over
 * without their data where chunks are not asked for; every other row is compared with its checksum, also where its event
 * is then left out.
 */
final class EventReading {

    private static final String FROM_RANGE = """
            FROM event NOT INDEXED
            WHERE key >= coalesce((SELECT max(key) FROM event NOT INDEXED WHERE key >= ?1 AND key <= ?2), ?2) AND key < ?3
            ORDER BY key
            """;

    static final String ALL = "SELECT " + EventRow.COLUMNS + "\n" + FROM_RANGE;

    static final String BUT_CHUNKS = """
            SELECT key, n, type, time, ignorable, surface_op, source_event_seqs, checksum,
                   CASE WHEN type = 'assistant/chunk' THEN NULL ELSE data END
            """ + FROM_RANGE;

    /**
     * A part of the range.
     *
     * @param next behind the last event; behind the last that could be, if there are no more
     * @param count how many events were read from the start of the range to here
     * @param own how far the session's own events were read from their first on, -1 if not from there
     * @param surfaceCount how many of those are on surface types
     * @param surfaceHash the running hash over them
     * @param last whether the range ends here
     */
    record Page(
            List<SessionEvent> events,
            long next,
            long count,
            long own,
            long surfaceCount,
            long surfaceHash,
            boolean last) {}

    private final SqliteLink link;
    private final SessionRow session;
    private final List<Segment> segments;
    private final EventRange range;
    private final boolean passesOverChunks;

    private final List<SessionEvent> events = new ArrayList<>();
    private long next;
    private long count;
    private long own;
    private long surfaceCount;
    private long surfaceHash;
    private long bytes;
    private long held;

    EventReading(SqliteLink link, SessionRow session, EventRange range) throws SQLException, DamagedRow {
        this.link = link;
        this.session = session;
        this.segments = Segment.of(link, session);
        this.range = range;
        this.passesOverChunks = range.kind() != EventRange.Kind.ALL;
    }

    /** The range, as far as its own bounds let it go. */
    List<SessionEvent> events() throws SQLException, DamagedRow {
        return page(null, Long.MAX_VALUE, Long.MAX_VALUE).events();
    }

    /**
     * The first page of the range, or the next one.
     *
     * @param before the page before, null for the first
     * @param maxEvents ends the page behind the row that reaches it
     * @param maxBytes ends the page behind the row that reaches it
     */
    Page page(@Nullable Page before, long maxEvents, long maxBytes) throws SQLException, DamagedRow {
        next = before == null ? Math.min(range.from(), session.nextSeq()) : before.next();
        count = before == null ? 0 : before.count();
        own = before == null ? (next <= session.firstSeq() ? session.firstSeq() : -1) : before.own();
        surfaceCount = before == null ? 0 : before.surfaceCount();
        surfaceHash = before == null ? SessionRow.NO_SURFACE : before.surfaceHash();
        long to = Math.max(next, Math.min(range.to(), session.nextSeq()));
        boolean full = false;
        for (Segment segment : segments) {
            long end = Math.min(segment.to(), to);
            if (!full && count < range.limit() && segment.from() <= next && next < end) {
                full = read(segment, end, maxEvents, maxBytes);
            }
        }
        expectSurface();
        return new Page(events, next, count, own, surfaceCount, surfaceHash, next >= to || count == range.limit());
    }

    /** Reads on in one segment; returns whether the page is full before its end. */
    private boolean read(Segment segment, long end, long maxEvents, long maxBytes) throws SQLException, DamagedRow {
        PreparedStatement select = link.statement(passesOverChunks ? BUT_CHUNKS : ALL);
        select.setLong(1, EventRow.key(segment.owner(), 0));
        select.setLong(2, EventRow.key(segment.owner(), next));
        select.setLong(3, EventRow.key(segment.owner(), end));
        try (ResultSet row = select.executeQuery()) {
            boolean first = true;
            while (next < end && count < range.limit()) {
                if (events.size() >= maxEvents || bytes >= maxBytes || held >= range.bytes()) {
                    return true;
                }
                if (!row.next()) {
                    throw DamagedRow.event(session.sessionId(), next, "expected a row, found none");
                }
                read(row, segment, end, first);
                first = false;
            }
            if (next >= end && row.next()) {
                // a row that was passed over claims events that have rows of their own
                throw DamagedRow.event(
                        session.sessionId(),
                        EventRow.seqOf(row.getLong(1)),
                        "expected no row of its own, since the row before holds it too, found one");
            }
        } catch (SQLException e) {
            if (SqliteErrors.isDamage(e)) {
                throw DamagedRow.event(session.sessionId(), next, "SQLite cannot read it: " + e.getMessage());
            }
            throw e;
        }
        return false;
    }

    /** A read may begin inside its first row. */
    private void read(ResultSet row, Segment segment, long end, boolean first) throws SQLException, DamagedRow {
        long seq = EventRow.seqOf(row.getLong(1));
        long behind = seq + row.getLong(2);
        if (seq > next || (seq < next && !first) || behind <= next) {
            throw DamagedRow.event(
                    session.sessionId(),
                    next,
                    "expected it here, found a row of events " + seq + " to " + (behind - 1));
        }
        if (passesOverChunks && EventType.ASSISTANT_CHUNK.equals(row.getString(3))) {
            next = Math.min(behind, end);
            passed(segment);
            return;
        }
        EventRow read = EventRow.read(row, session.sessionId());
        bytes += read.bytes();
        if (range.kind() == EventRange.Kind.SURFACE && !read.isSurface()) {
            next = Math.min(behind, end);
            passed(segment);
            return;
        }
        for (SessionEvent event : read.events(session.sessionId(), link.compression())) {
            if (event.seq() >= next && event.seq() < end && count < range.limit()) {
                // what a row holds may be far smaller than what it stands for
                bytes += event.data().text().length();
                held += event.data().text().length();
                events.add(event);
                count++;
                next = event.seq() + 1;
            }
        }
        if (read.isSurface() && own >= 0 && segment.owner() == session.number()) {
            surfaceCount++;
            surfaceHash = SessionRow.chain(surfaceHash, read.checksum());
        }
        passed(segment);
    }

    private void passed(Segment segment) {
        if (own >= 0 && segment.owner() == session.number()) {
            own = next;
        }
    }

    /** Whoever has read all that is the session's own can compare it with what the session's row says. */
    private void expectSurface() throws DamagedRow {
        boolean whole = own >= session.nextSeq();
        if (whole && (surfaceCount != session.surfaceCount() || surfaceHash != session.surfaceHash())) {
            throw DamagedRow.of(
                    session.sessionId(),
                    "event",
                    "expected " + session.surfaceCount() + " surface events with hash " + session.surfaceHash()
                            + ", found " + surfaceCount + " with hash " + surfaceHash);
        }
    }
}
