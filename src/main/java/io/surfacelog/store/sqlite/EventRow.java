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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One row of table {@code event} as it is stored: one event, or a packed run of stream chunks. Its key is the session's
 * number and the first seq in one integer, so that the rows of a session lie together in seq order. Immutable; the arrays
 * are nobody else's.
 */
final class EventRow {

    /** A session can hold this many events, 2^32. */
    static final long MAX_EVENTS = 1L << 32;

    /** Session numbers end here, 2^31−1. */
    static final long MAX_SESSION = (1L << 31) - 1;

    /** A row holds at most so many events. */
    static final int MAX_RUN = 1_024;

    /** The columns of the table, in the order that {@link #read} and {@link #bind} use. */
    static final String COLUMNS = "key, n, type, time, ignorable, surface_op, source_event_seqs, checksum, data";

    private static final String TABLE = "event";
    private static final String APPEND = "append";

    private final long key;
    private final long n;
    private final String type;
    private final long time;
    private final byte @Nullable [] times;
    private final long ignorable;
    private final @Nullable String op;
    private final @Nullable String sources;
    private final byte[] data;
    private final long checksum;

    private EventRow(
            long key,
            long n,
            String type,
            long time,
            byte @Nullable [] times,
            long ignorable,
            @Nullable String op,
            @Nullable String sources,
            byte[] data) {
        this.key = key;
        this.n = n;
        this.type = type;
        this.time = time;
        this.times = times;
        this.ignorable = ignorable;
        this.op = op;
        this.sources = sources;
        this.data = data;
        RowChecksum sum = RowChecksum.of(TABLE).number(key).number(n).text(type);
        this.checksum = (times == null ? sum.number(time) : sum.utf8(times))
                .number(ignorable)
                .text(op)
                .text(sources)
                .utf8(data)
                .value();
    }

    /** The row of one event. */
    static EventRow of(long session, SessionEvent event, Compression compression) {
        SurfaceIntent intent = event.intent().orElse(null);
        byte[] json = event.data().utf8();
        byte[] block = compression.compressed(json);
        return new EventRow(
                key(session, event.seq()),
                1,
                StoredText.encode(event.type()),
                event.time(),
                null,
                event.ignorable() ? 1 : 0,
                intent == null ? null : text(intent.op()),
                intent == null ? null : intent.sources().map(EventSeqs::toText).orElse(null),
                block == null ? json : block);
    }

    /** The row of a run of two or more chunks that {@link #mayBePacked}. */
    static EventRow ofRun(long session, List<SessionEvent> run, Compression compression) {
        List<byte[]> texts = new ArrayList<>(run.size());
        ByteSink times = new ByteSink();
        long last = 0;
        for (SessionEvent event : run) {
            texts.add(event.data().utf8());
            times.signed(event.time() - last);
            last = event.time();
        }
        return new EventRow(
                key(session, run.get(0).seq()),
                run.size(),
                EventType.ASSISTANT_CHUNK,
                0,
                times.toBytes(),
                0,
                null,
                null,
                compression.block(TextRun.encode(texts)));
    }

    static boolean mayBePacked(SessionEvent event) {
        return event.type().equals(EventType.ASSISTANT_CHUNK) && !event.ignorable();
    }

    /** The key of this seq; a seq beyond the last possible one gives the key before which all rows of the session lie. */
    static long key(long session, long seq) {
        return (session << 32) + Math.min(seq, MAX_EVENTS);
    }

    static long seqOf(long key) {
        return key & 0xFFFF_FFFFL;
    }

    /** Binds all columns. */
    void bind(PreparedStatement insert) throws SQLException {
        insert.setLong(1, key);
        insert.setLong(2, n);
        insert.setString(3, type);
        if (times == null) {
            insert.setLong(4, time);
        } else {
            insert.setBytes(4, times);
        }
        insert.setLong(5, ignorable);
        setText(insert, 6, op);
        setText(insert, 7, sources);
        insert.setLong(8, checksum);
        if (Compression.isBlock(data)) {
            insert.setBytes(9, data);
        } else {
            insert.setString(9, new String(data, StandardCharsets.UTF_8));
        }
    }

    private static void setText(PreparedStatement insert, int column, @Nullable String text) throws SQLException {
        if (text == null) {
            insert.setNull(column, Types.VARCHAR);
        } else {
            insert.setString(column, text);
        }
    }

    /**
     * Reads the row the result stands on; its columns are {@link #COLUMNS}.
     *
     * @param session whose row this should be, null if that is not known
     * @throws DamagedRow if it is not as it was written
     */
    static EventRow read(ResultSet row, @Nullable SessionId session) throws SQLException, DamagedRow {
        long key = row.getLong(1);
        long n = row.getLong(2);
        String type = row.getString(3);
        byte[] times = n == 1 ? null : row.getBytes(4);
        byte[] data = row.getBytes(9);
        long seq = seqOf(key);
        if (type == null || data == null || (n != 1 && times == null)) {
            throw DamagedRow.event(session, seq, "expected type, time and data, found NULL");
        }
        EventRow read = new EventRow(
                key,
                n,
                type,
                n == 1 ? row.getLong(4) : 0,
                times,
                row.getLong(5),
                row.getString(6),
                row.getString(7),
                data);
        long stored = row.getLong(8);
        if (read.checksum != stored) {
            throw DamagedRow.event(session, seq, "expected checksum " + read.checksum + ", found " + stored);
        }
        if (n < 1 || n > MAX_RUN || (n > 1 && !type.equals(EventType.ASSISTANT_CHUNK))) {
            throw DamagedRow.event(session, seq, "expected a row of one event or a run of chunks, found " + n);
        }
        return read;
    }

    /** The first seq. */
    long seq() {
        return seqOf(key);
    }

    /** The seq behind the last. */
    long end() {
        return seq() + n;
    }

    boolean isSurface() {
        return op != null;
    }

    boolean isChunk() {
        return type.equals(EventType.ASSISTANT_CHUNK);
    }

    long checksum() {
        return checksum;
    }

    /** About what it takes in memory as it was read, before it is unpacked. */
    long bytes() {
        return 200 * n + 2L * data.length;
    }

    /** The events in seq order. */
    List<SessionEvent> events(SessionId session, Compression compression) throws DamagedRow {
        try {
            return n == 1 ? List.of(event(compression)) : run(compression);
        } catch (RuntimeException e) {
            throw DamagedRow.event(session, seq(), "expected an event, found: " + e.getMessage());
        }
    }

    private SessionEvent event(Compression compression) {
        byte[] json = Compression.isBlock(data) ? compression.plain(data) : data;
        return SessionEvent.of(
                seq(),
                time,
                StoredText.decode(type),
                JsonText.ofCompact(new String(json, StandardCharsets.UTF_8)),
                intent(op, sources),
                ignorable != 0);
    }

    private List<SessionEvent> run(Compression compression) {
        List<SessionEvent> events = new ArrayList<>((int) n);
        ByteCursor cursor = new ByteCursor(times == null ? new byte[0] : times, 0);
        long at = 0;
        for (String text : TextRun.decode(compression.plain(data), (int) n)) {
            at += cursor.signed();
            events.add(SessionEvent.of(
                    seq() + events.size(), at, EventType.ASSISTANT_CHUNK, JsonText.ofCompact(text), null, false));
        }
        if (!cursor.atEnd()) {
            throw new IllegalArgumentException("expected " + n + " times, found more");
        }
        return events;
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
