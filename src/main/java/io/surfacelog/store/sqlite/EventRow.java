package io.surfacelog.store.sqlite;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfaceOp;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One row of table {@code event}: a run of n events, of which this schema version writes n = 1 only. Its key is the
 * session's number and the first seq in one integer, so that the rows of a session lie together in seq order.
 *
 * @param seq the first seq of the run
 * @param n how many events
 * @param bytes about what it takes in memory
 */
record EventRow(long seq, long n, long checksum, long bytes, SessionEvent event) {

    /** A session can hold this many events, 2^32. */
    static final long MAX_EVENTS = 1L << 32;

    /** Session numbers end here, 2^31−1. */
    static final long MAX_SESSION = (1L << 31) - 1;

    private static final String TABLE = "event";
    private static final String APPEND = "append";

    /** The key of this seq; a seq beyond the last possible one gives the key before which all rows of the session lie. */
    static long key(long session, long seq) {
        return (session << 32) + Math.min(seq, MAX_EVENTS);
    }

    static long sessionOf(long key) {
        return key >> 32;
    }

    static long seqOf(long key) {
        return key & 0xFFFF_FFFFL;
    }

    static boolean isChunk(SessionEvent event) {
        return event.type().equals(EventType.ASSISTANT_CHUNK);
    }

    /**
     * Binds an event in the order of the table's columns.
     *
     * @return its checksum
     */
    static long bind(PreparedStatement insert, long session, SessionEvent event) throws SQLException {
        SurfaceIntent intent = event.intent().orElse(null);
        String op = intent == null ? null : text(intent.op());
        String sources =
                intent == null ? null : intent.sources().map(EventSeqs::toText).orElse(null);
        String type = StoredText.encode(event.type());
        String data = event.data().text();
        int ignorable = event.ignorable() ? 1 : 0;
        long key = key(session, event.seq());
        long checksum = RowChecksum.of(TABLE)
                .number(key)
                .number(1)
                .text(type)
                .number(event.time())
                .number(ignorable)
                .text(data)
                .text(op)
                .text(sources)
                .value();
        insert.setLong(1, key);
        insert.setInt(2, 1);
        insert.setString(3, type);
        insert.setLong(4, event.time());
        insert.setInt(5, ignorable);
        insert.setString(6, data);
        setText(insert, 7, op);
        setText(insert, 8, sources);
        insert.setLong(9, checksum);
        return checksum;
    }

    private static void setText(PreparedStatement insert, int column, @Nullable String text) throws SQLException {
        if (text == null) {
            insert.setNull(column, Types.VARCHAR);
        } else {
            insert.setString(column, text);
        }
    }

    /**
     * Reads the row the result stands on; its columns are those of the table, in their order.
     *
     * @param session whose row this should be, null if that is not known
     * @throws DamagedRow if it is not as it was written
     */
    static EventRow read(ResultSet row, @Nullable SessionId session) throws SQLException, DamagedRow {
        long key = row.getLong(1);
        long n = row.getLong(2);
        String type = row.getString(3);
        long time = row.getLong(4);
        long ignorable = row.getLong(5);
        byte[] data = row.getBytes(6);
        String op = row.getString(7);
        String sources = row.getString(8);
        long stored = row.getLong(9);
        long seq = seqOf(key);
        if (type == null || data == null) {
            throw DamagedRow.event(session, seq, "expected type and data, found NULL");
        }
        long checksum = RowChecksum.of(TABLE)
                .number(key)
                .number(n)
                .text(type)
                .number(time)
                .number(ignorable)
                .utf8(data)
                .text(op)
                .text(sources)
                .value();
        if (checksum != stored) {
            throw DamagedRow.event(session, seq, "expected checksum " + checksum + ", found " + stored);
        }
        if (n != 1) {
            throw DamagedRow.event(session, seq, "expected a row of one event, found one of " + n);
        }
        try {
            SessionEvent event = SessionEvent.of(
                    seq,
                    time,
                    StoredText.decode(type),
                    JsonText.ofCompact(new String(data, StandardCharsets.UTF_8)),
                    intent(op, sources),
                    ignorable != 0);
            return new EventRow(seq, n, checksum, 200L + 2L * data.length, event);
        } catch (RuntimeException e) {
            throw DamagedRow.event(session, seq, "expected an event, found: " + e.getMessage());
        }
    }

    private static @Nullable SurfaceIntent intent(@Nullable String op, @Nullable String sources) {
        if (op == null) {
            if (sources != null) {
                throw new IllegalArgumentException("sources without a surface op");
            }
            return null;
        }
        return APPEND.equals(op) && sources == null
                ? SurfaceIntent.append()
                : SurfaceIntent.of(op(op), Optional.ofNullable(sources).map(EventSeqs::parse));
    }

    /** The text of a surface op as it stands in its column: {@code append}, or the compact JSON of a replace. */
    private static String text(SurfaceOp op) {
        return op instanceof SurfaceOp.Append ? APPEND : op.toJson().toText();
    }

    private static SurfaceOp op(String text) {
        if (text.equals(APPEND)) {
            return SurfaceOp.append();
        }
        Json json = JsonText.ofCompact(text).value();
        if (json instanceof JsonObject object) {
            OptionalLong start = object.longValue("start");
            OptionalLong end = object.longValue("end");
            if (start.isPresent() && end.isPresent()) {
                return SurfaceOp.replace(start.getAsLong(), end.getAsLong());
            }
        }
        throw new IllegalArgumentException("surface op " + text);
    }
}
