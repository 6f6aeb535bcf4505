package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.WriteOutcome;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Writes a whole log as a new session, inside a transaction, and holds no more of it than the rows being made and a few batches of events: what SQLite
 * does not keep in its cache goes into the write-ahead log as it comes.
 */
final class SessionLoad {

    /** So many events are handed on together. */
    private static final int BATCH_EVENTS = 1_024;

    /** From so many characters on they are handed on though they are fewer. */
    private static final long BATCH_CHARS = 1L << 20;

    private final SqliteLink link;
    private final WriterMemory memory;

    /** A load in a transaction that has begun. */
    SessionLoad(SqliteLink link, WriterMemory memory) {
        this.link = link;
        this.memory = memory;
    }

    WriteOutcome run(SessionHeader header, Iterator<SessionEvent> events) throws SQLException, DamagedRow {
        memory.begin(link);
        SessionId id = header.id();
        try {
            if (memory.session(id) != null) {
                return new WriteOutcome.IdTaken();
            }
        } catch (DamagedRow e) {
            return new WriteOutcome.Damaged(e.fault());
        }
        SessionRow session = insertEvents(SessionRow.created(CommitTransaction.nextNumber(link), header, 0, 0), events);
        PreparedStatement insert = link.statement(CommitTransaction.INSERT_SESSION);
        session.bindInsert(insert);
        insert.executeUpdate();
        long position = memory.nextPosition();
        PreparedStatement commit = link.statement(CommitTransaction.INSERT_COMMIT);
        new CommitRow(position, session.number(), 0, session.nextSeq()).bind(commit);
        commit.executeUpdate();
        memory.put(id, session);
        return new WriteOutcome.Committed(position);
    }

    private SessionRow insertEvents(SessionRow empty, Iterator<SessionEvent> events) throws SQLException {
        LoadedRows rows = new LoadedRows(link, empty);
        boolean whole = false;
        try {
            List<SessionEvent> batch = new ArrayList<>();
            long chars = 0;
            for (long next = 0; events.hasNext(); next++) {
                if (batch.size() == BATCH_EVENTS || chars > BATCH_CHARS) {
                    rows.add(batch);
                    batch = new ArrayList<>();
                    chars = 0;
                }
                SessionEvent event = events.next();
                check(empty.id(), event, next);
                batch.add(event);
                chars += event.data().text().length();
            }
            SessionRow session = rows.end(batch);
            whole = true;
            return session;
        } finally {
            if (!whole) {
                rows.abandon();
            }
        }
    }

    private static void check(String id, SessionEvent event, long expected) {
        if (event.seq() != expected) {
            throw new IllegalArgumentException(
                    "expected seq " + expected + " in session " + id + ", found " + event.seq());
        }
        if (expected >= EventRow.MAX_EVENTS) {
            throw new StoreUnavailableException(
                    Reason.CAPACITY, "session " + id + " would hold more than " + EventRow.MAX_EVENTS + " events");
        }
    }
}
