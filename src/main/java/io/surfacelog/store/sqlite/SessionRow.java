package io.surfacelog.store.sqlite;

import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoredSession;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/**
 * One row of table {@code session}: who it is, and what its own events must add up to.
 *
 * @param number its number, from 1, never given again
 * @param id stored form of its id
 * @param header the header, compact JSON
 * @param parent stored form of the parent's id
 * @param firstSeq the first of its own events; those before are found through its segments, 0 for none
 * @param inheritedSurface how many events on surface types are not its own
 * @param nextSeq the tail
 * @param surfaceCount how many of its own events are on surface types
 * @param surfaceHash what {@link #chain} gives over those in order, from {@link #NO_SURFACE}
 */
record SessionRow(
        long number,
        String id,
        String header,
        long createdAt,
        @Nullable String parent,
        long firstSeq,
        long inheritedSurface,
        long nextSeq,
        long surfaceCount,
        long surfaceHash) {

    static final String TABLE = "session";

    /** The columns of the table, in the order that {@link #read} and {@link #bindInsert} use. */
    static final String COLUMNS = "number, id, header, created_at, parent, first_seq, inherited_surface, next_seq,"
            + " surface_count, surface_hash, checksum";

    static final long NO_SURFACE = 0;

    static SessionRow created(long number, SessionHeader header, long firstSeq, long inheritedSurface) {
        return new SessionRow(
                number,
                StoredText.encode(header.id().value()),
                header.json().toText(),
                header.createdAt(),
                header.parentSession().map(StoredText::encode).orElse(null),
                firstSeq,
                inheritedSurface,
                firstSeq,
                0,
                NO_SURFACE);
    }

    /** Of no session, to count surface rows. */
    static SessionRow counting(long firstSeq) {
        return new SessionRow(0, "", "", 0, null, firstSeq, 0, firstSeq, 0, NO_SURFACE);
    }

    /** The hash with one more surface row, whose checksum covers its key and so its place. */
    static long chain(long hash, long checksum) {
        return (Long.rotateLeft(hash, 29) ^ checksum) * 0x9E37_79B9_7F4A_7C15L;
    }

    SessionId sessionId() {
        return SessionId.of(StoredText.decode(id));
    }

    private @Nullable SessionId idIfReadable() {
        try {
            return sessionId();
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** The row after these rows of events, which follow its tail. */
    SessionRow with(Iterable<EventRow> rows) {
        long next = nextSeq;
        long count = surfaceCount;
        long hash = surfaceHash;
        for (EventRow row : rows) {
            next = row.end();
            if (row.isSurface()) {
                count++;
                hash = chain(hash, row.checksum());
            }
        }
        return new SessionRow(number, id, header, createdAt, parent, firstSeq, inheritedSurface, next, count, hash);
    }

    private long checksum() {
        return RowChecksum.of(TABLE)
                .number(number)
                .text(id)
                .text(header)
                .number(createdAt)
                .text(parent)
                .number(firstSeq)
                .number(inheritedSurface)
                .number(nextSeq)
                .number(surfaceCount)
                .number(surfaceHash)
                .value();
    }

    /** Binds all columns in the order of the table. */
    void bindInsert(PreparedStatement insert) throws SQLException {
        insert.setLong(1, number);
        insert.setString(2, id);
        insert.setString(3, header);
        insert.setLong(4, createdAt);
        if (parent == null) {
            insert.setNull(5, Types.VARCHAR);
        } else {
            insert.setString(5, parent);
        }
        insert.setLong(6, firstSeq);
        insert.setLong(7, inheritedSurface);
        insert.setLong(8, nextSeq);
        insert.setLong(9, surfaceCount);
        insert.setLong(10, surfaceHash);
        insert.setLong(11, checksum());
    }

    /** Binds what grows, then the checksum and the number. */
    void bindUpdate(PreparedStatement update) throws SQLException {
        update.setLong(1, nextSeq);
        update.setLong(2, surfaceCount);
        update.setLong(3, surfaceHash);
        update.setLong(4, checksum());
        update.setLong(5, number);
    }

    /**
     * Reads the row the result stands on.
     *
     * @param first where its {@link #COLUMNS} begin in the result
     * @throws DamagedRow if it is not as it was written
     */
    static SessionRow read(ResultSet row, int first) throws SQLException, DamagedRow {
        long number = row.getLong(first);
        String id = row.getString(first + 1);
        String header = row.getString(first + 2);
        if (id == null || id.isEmpty() || header == null) {
            throw DamagedRow.of(null, TABLE, "expected session number " + number + " to have an id and a header");
        }
        SessionRow read = new SessionRow(
                number,
                id,
                header,
                row.getLong(first + 3),
                row.getString(first + 4),
                row.getLong(first + 5),
                row.getLong(first + 6),
                row.getLong(first + 7),
                row.getLong(first + 8),
                row.getLong(first + 9));
        DamagedRow.check(row.getLong(first + 10), read.checksum(), read.idIfReadable(), TABLE, "number " + number);
        return read;
    }

    /** The session as it is shown; parses the header. */
    StoredSession stored() throws DamagedRow {
        try {
            SessionHeader parsed = SessionHeader.of(JsonText.ofCompact(header).value());
            if (parsed.id().equals(sessionId())) {
                return new StoredSession(parsed, nextSeq, inheritedSurface + surfaceCount, number);
            }
        } catch (RuntimeException e) {
            throw DamagedRow.of(sessionId(), TABLE, "expected a header, found: " + e.getMessage());
        }
        throw DamagedRow.of(sessionId(), TABLE, "expected the header of this session, found " + header);
    }
}
