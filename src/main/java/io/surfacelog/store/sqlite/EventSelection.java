package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.store.EventRange;

/**
 * How the events of one kind are found: the SQL for their rows and for counting them, and the tally that the session's row
 * keeps of them. The indexes are named in the SQL, so that no statistics an operator gathers can make a read slower, and
 * so that a missing index is an error. Only one lower bound on the key is ever passed: of two, SQLite would use the first.
 */
enum EventSelection {
    ALL("""
            SELECT key, n, type, time, ignorable, data, surface_op, source_event_seqs, checksum
            FROM event NOT INDEXED
            WHERE key >= ? AND key < ?
            ORDER BY key
            LIMIT ?
            """, "") {
        @Override
        boolean holds(SessionEvent event) {
            return true;
        }

        @Override
        Tally tally(SessionRow session) {
            return Tally.NOTHING;
        }
    },
    SURFACE("""
            SELECT key, n, type, time, ignorable, data, surface_op, source_event_seqs, checksum
            FROM event INDEXED BY event_surface
            WHERE surface_op IS NOT NULL AND key >= ? AND key < ?
            ORDER BY key
            LIMIT ?
            """, """
            SELECT count(*), sum(key & 4294967295), min(key), max(key)
            FROM event INDEXED BY event_surface
            WHERE surface_op IS NOT NULL AND key >= ? AND key < ?
            """) {
        @Override
        boolean holds(SessionEvent event) {
            return event.isSurface();
        }

        @Override
        Tally tally(SessionRow session) {
            return session.surface();
        }
    },
    NOT_CHUNK("""
            SELECT key, n, type, time, ignorable, data, surface_op, source_event_seqs, checksum
            FROM event INDEXED BY event_not_chunk
            WHERE type <> 'assistant/chunk' AND key >= ? AND key < ?
            ORDER BY key
            LIMIT ?
            """, """
            SELECT count(*), sum(key & 4294967295), min(key), max(key)
            FROM event INDEXED BY event_not_chunk
            WHERE type <> 'assistant/chunk' AND key >= ? AND key < ?
            """) {
        @Override
        boolean holds(SessionEvent event) {
            return !EventRow.isChunk(event);
        }

        @Override
        Tally tally(SessionRow session) {
            return session.plain();
        }
    };

    private final String rows;
    private final String counting;

    EventSelection(String rows, String counting) {
        this.rows = rows;
        this.counting = counting;
    }

    static EventSelection of(EventRange.Kind kind) {
        return switch (kind) {
            case ALL -> ALL;
            case SURFACE -> SURFACE;
            case NOT_CHUNK -> NOT_CHUNK;
        };
    }

    /** Rows with first bound included, second excluded, at most so many. */
    String rows() {
        return rows;
    }

    /** Number, sum of seqs, first and last key of the rows with first bound included, second excluded; no SQL for all events, whose seqs tell. */
    String counting() {
        return counting;
    }

    /** Whether the event is of this kind; an index that leads elsewhere is damage. */
    abstract boolean holds(SessionEvent event);

    /** What the events of this kind add up to by the session's row; nothing for all events. */
    abstract Tally tally(SessionRow session);
}
