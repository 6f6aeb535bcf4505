package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.store.StoredCheckpoint;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a new session takes over from the one it is forked from: where to find the events of its prefix, and a checkpoint if
 * that lies within. Cost: O(segments) where the prefix is the whole log; else surface events are counted on the shorter
 * side of it.
 *
 * @param session the row of the new session, without events of its own
 * @param prefix the parts of its prefix
 * @param checkpoint the source's, null if there is none that fits
 */
record Forking(
        SessionRow session, List<Segment> prefix, @Nullable StoredCheckpoint checkpoint) {

    private static final String COUNT_SURFACE = """
            SELECT count(surface_op)
            FROM event NOT INDEXED
            WHERE key >= ? AND key < ?
            """;

    /** Reads all that is needed and writes nothing. */
    static Forking of(SqliteLink link, SessionRow source, long prefix, long number, SessionHeader header)
            throws SQLException, DamagedRow {
        List<Segment> parts = Segment.of(link, source);
        SessionRow session = SessionRow.created(number, header, prefix, inheritedSurface(link, source, parts, prefix));
        return new Forking(session, Segment.before(parts, prefix), checkpoint(link, source, prefix));
    }

    private static long inheritedSurface(SqliteLink link, SessionRow source, List<Segment> parts, long prefix)
            throws SQLException {
        long all = source.inheritedSurface() + source.surfaceCount();
        return prefix < source.nextSeq() - prefix
                ? count(link, parts, 0, prefix)
                : all - count(link, parts, prefix, source.nextSeq());
    }

    private static long count(SqliteLink link, List<Segment> parts, long from, long to) throws SQLException {
        long count = 0;
        for (Segment part : parts) {
            long first = Math.max(part.from(), from);
            long end = Math.min(part.to(), to);
            if (first < end) {
                PreparedStatement select = link.statement(COUNT_SURFACE);
                select.setLong(1, EventRow.key(part.owner(), first));
                select.setLong(2, EventRow.key(part.owner(), end));
                try (ResultSet row = select.executeQuery()) {
                    row.next();
                    count += row.getLong(1);
                }
            }
        }
        return count;
    }

    private static @Nullable StoredCheckpoint checkpoint(SqliteLink link, SessionRow source, long prefix)
            throws SQLException {
        try {
            Optional<StoredCheckpoint> kept = CheckpointRow.find(link, source.number(), source.sessionId());
            return kept.filter(found -> found.nextSeq() <= prefix).orElse(null);
        } catch (DamagedRow lost) {
            // disposable: the fork is opened from its log
            return null;
        }
    }

    /** Writes what is not in the session's row. */
    void insert(SqliteLink link) throws SQLException {
        Segment.insert(link, session.number(), prefix);
        if (checkpoint != null) {
            CheckpointRow.replace(link, session.number(), checkpoint);
        }
    }
}
