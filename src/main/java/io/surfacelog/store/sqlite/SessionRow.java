package io.surfacelog.store.sqlite;

import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoredSession;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/**
 * One row of table {@code session}: who it is, and what its events must add up to.
 *
 * @param number its number, from 1, never given again
 * @param id stored form of its id
 * @param header the header, compact JSON
 * @param parent stored form of the parent's id
 * @param nextSeq the tail
 * @param surface the events on surface types
 * @param plain the events that are no chunks
 * @param surfaceHash what {@link #chain} gives over the surface events in order, from {@link #NO_SURFACE}
 */
record SessionRow(
        long number,
        String id,
        String header,
        long createdAt,
        @Nullable String parent,
        long nextSeq,
        Tally surface,
        Tally plain,
        long surfaceHash) {

    static final long NO_SURFACE = 0;

    private static final String TABLE = "session";

    static SessionRow created(long number, SessionHeader header) {
        return new SessionRow(
                number,
                StoredText.encode(header.id().value()),
                header.json().toText(),
                header.createdAt(),
                header.parentSession().map(StoredText::encode).orElse(null),
                0,
                Tally.NOTHING,
                Tally.NOTHING,
                NO_SURFACE);
    }

    /** A session nothing is known of but its number, to add up events. */
    static SessionRow empty(long number) {
        return new SessionRow(number, "", "", 0, null, 0, Tally.NOTHING, Tally.NOTHING, NO_SURFACE);
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

    SessionRow with(SessionEvent event, long checksum) {
        boolean onSurface = event.isSurface();
        return new SessionRow(
                number,
                id,
                header,
                createdAt,
                parent,
                nextSeq + 1,
                onSurface ? surface.with(event.seq()) : surface,
                EventRow.isChunk(event) ? plain : plain.with(event.seq()),
                onSurface ? chain(surfaceHash, checksum) : surfaceHash);
    }

    private long checksum() {
        return RowChecksum.of(TABLE)
                .number(number)
                .text(id)
                .text(header)
                .number(createdAt)
                .text(parent)
                .number(nextSeq)
                .number(surface.count())
                .number(surface.sum())
                .number(plain.count())
                .number(plain.sum())
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
        insert.setLong(6, nextSeq);
        insert.setLong(7, surface.count());
        insert.setLong(8, surface.sum());
        insert.setLong(9, plain.count());
        insert.setLong(10, plain.sum());
        insert.setLong(11, surfaceHash);
        insert.setLong(12, checksum());
    }

    /** Binds what grows, then the checksum and the number. */
    void bindUpdate(PreparedStatement update) throws SQLException {
        update.setLong(1, nextSeq);
        update.setLong(2, surface.count());
        update.setLong(3, surface.sum());
        update.setLong(4, plain.count());
        update.setLong(5, plain.sum());
        update.setLong(6, surfaceHash);
        update.setLong(7, checksum());
        update.setLong(8, number);
    }

    /**
     * Reads the row the result stands on.
     *
     * @param first where its columns begin in the result, in the order of the table
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
                new Tally(row.getLong(first + 6), row.getLong(first + 7)),
                new Tally(row.getLong(first + 8), row.getLong(first + 9)),
                row.getLong(first + 10));
        DamagedRow.check(row.getLong(first + 11), read.checksum(), read.idIfReadable(), TABLE, "number " + number);
        return read;
    }

    /** The session as it is shown; parses the header. */
    StoredSession stored() throws DamagedRow {
        try {
            SessionHeader parsed = SessionHeader.of(JsonText.ofCompact(header).value());
            if (parsed.id().equals(sessionId())) {
                return new StoredSession(parsed, nextSeq, surface.count(), number);
            }
        } catch (RuntimeException e) {
            throw DamagedRow.of(sessionId(), TABLE, "expected a header, found: " + e.getMessage());
        }
        throw DamagedRow.of(sessionId(), TABLE, "expected the header of this session, found " + header);
    }
}
