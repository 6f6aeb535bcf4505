package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.LeaseOutcome;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoredLease;
import io.surfacelog.store.WriteOutcome;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Takes, renews and releases a lease inside of a write transaction. */
final class LeaseTaking {

    private final WriterMemory memory;
    private boolean wroteEvents;

    LeaseTaking(WriterMemory memory) {
        this.memory = memory;
    }

    /** Nothing is written before it is known that all of it may be. */
    LeaseOutcome take(SqliteLink link, LeaseRequest request) throws SQLException, DamagedRow {
        SessionId id = request.session();
        SessionRow session = Catalog.session(link, id).orElse(null);
        if (session == null) {
            return new LeaseOutcome.NotWritten(new WriteOutcome.NoSuchSession());
        }
        StoredLease current = LeaseRow.find(link, session, request.purpose()).orElse(null);
        StoredLease taken = request.decide(current).orElse(null);
        if (taken == null) {
            return new LeaseOutcome.Held(Objects.requireNonNull(current));
        }
        if (request.expectedNextSeq().orElse(session.nextSeq()) != session.nextSeq()) {
            return new LeaseOutcome.NotWritten(new WriteOutcome.TailMoved(session.nextSeq()));
        }
        OptionalLong position = OptionalLong.empty();
        if (!request.events().isEmpty()) {
            SessionWrite events = SessionWrite.append(id, session.nextSeq(), request.events(), null);
            wroteEvents = true;
            WriteOutcome written = new CommitTransaction(link, memory, Map.of())
                    .run(List.of(events))
                    .get(0);
            if (!(written instanceof WriteOutcome.Committed committed)) {
                return new LeaseOutcome.NotWritten(written);
            }
            position = OptionalLong.of(committed.position());
        }
        LeaseRow.replace(link, session.number(), taken);
        return new LeaseOutcome.Taken(taken, position);
    }

    /** To be called when the transaction is durable. */
    void committed() {
        if (wroteEvents) {
            memory.committed();
        }
    }

    /** Changes the lease if it is held under this token. */
    static boolean change(
            SqliteLink link, SessionId id, LeasePurpose purpose, long token, UnaryOperator<StoredLease> change)
            throws SQLException, DamagedRow {
        SessionRow session = Catalog.session(link, id).orElse(null);
        if (session == null) {
            return false;
        }
        Optional<StoredLease> lease =
                LeaseRow.find(link, session, purpose).filter(found -> found.holder() != null && found.token() == token);
        if (lease.isEmpty()) {
            return false;
        }
        LeaseRow.replace(link, session.number(), change.apply(lease.get()));
        return true;
    }
}
