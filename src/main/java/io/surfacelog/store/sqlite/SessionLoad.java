package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.WriteOutcome;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;

/**
 * Writes a whole log as a new session, inside a transaction, and holds no more of it than the rows being made: what SQLite
 * does not keep in its cache goes into the write-ahead log as it comes.
 */
final class SessionLoad {

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
        SessionRow session = empty;
        RowPacker packer = new RowPacker(empty.number(), link.compression());
        long next = 0;
        while (events.hasNext()) {
            SessionEvent event = events.next();
            if (event.seq() != next) {
                throw new IllegalArgumentException(
                        "expected seq " + next + " in session " + empty.id() + ", found " + event.seq());
            }
            next++;
            if (next > EventRow.MAX_EVENTS) {
                throw new StoreUnavailableException(
                        Reason.CAPACITY,
                        "session " + empty.id() + " would hold more than " + EventRow.MAX_EVENTS + " events");
            }
            packer.add(event);
            session = insert(session, packer.takeRows());
        }
        packer.endRun();
        return insert(session, packer.takeRows());
    }

    private SessionRow insert(SessionRow session, List<EventRow> rows) throws SQLException {
        if (rows.isEmpty()) {
            return session;
        }
        PreparedStatement insert = link.statement(CommitTransaction.INSERT_EVENT);
        for (EventRow row : rows) {
            row.bind(insert);
            insert.executeUpdate();
        }
        return session.with(rows);
    }
}
