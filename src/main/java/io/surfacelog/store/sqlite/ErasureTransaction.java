package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.ErasureProof.InheritedPart;
import io.surfacelog.store.SessionNeededException;
import io.surfacelog.store.UnknownSessionException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Removes a session, and if asked those that need it, and notes by what their bytes would be known. */
final class ErasureTransaction {

    private static final String CHILDREN = "SELECT number FROM session WHERE parent = ?";

    private static final String EVENTS = """
            SELECT data
            FROM event NOT INDEXED
            WHERE key >= ? AND key < ?
            """;

    private static final String COUNT_EVENTS =
            "SELECT coalesce(sum(n), 0), count(*) FROM event NOT INDEXED WHERE key >= ? AND key < ?";

    /** Of a session with more rows than these, only so many are noted, from everywhere in it. */
    private static final long NOTED_ROWS = 1_024;

    /** Data of fewer bytes is the same in many sessions. */
    private static final int TELLING_BYTES = 24;

    private static final String KEYS = "SELECT key FROM idempotency_key WHERE session = ?";

    /**
     * What was removed.
     *
     * @param sessions the session asked for first
     */
    record Removed(List<SessionId> sessions, long events, long rows, List<InheritedPart> inherited, Markers markers) {}

    private final SqliteLink link;
    private final WriterMemory memory;
    private final String storeId;
    private final long now;
    private final Removal removal;
    private final Markers markers = new Markers();
    private long events;

    ErasureTransaction(SqliteLink link, WriterMemory memory, String storeId, long now) {
        this.link = link;
        this.memory = memory;
        this.storeId = storeId;
        this.now = now;
        this.removal = new Removal(link, memory, storeId, now);
    }

    Removed run(SessionId id, boolean cascade) throws SQLException, DamagedRow {
        memory.begin(link);
        String idHash = IdHash.of(storeId, id);
        SessionRow session = Catalog.session(link, id).orElse(null);
        Set<Long> deleted = AuditRow.numbers(link, idHash);
        if (session == null && deleted.isEmpty()) {
            throw new UnknownSessionException(id);
        }
        Collection<SessionRow> needing = needing(id, session, deleted);
        if (!cascade && !needing.isEmpty()) {
            throw new SessionNeededException(
                    id, needing.stream().map(SessionRow::sessionId).toList());
        }
        List<InheritedPart> inherited = session == null ? List.of() : inherited(session);
        markers.add(StoredText.encode(id.value()));
        for (long number : deleted) {
            note(number);
        }
        List<SessionId> sessions = new ArrayList<>(List.of(id));
        List<SessionRow> youngestFirst = new ArrayList<>(needing);
        youngestFirst.sort((a, b) -> Long.compare(b.number(), a.number()));
        for (SessionRow row : youngestFirst) {
            sessions.add(row.sessionId());
            markers.add(row.id());
            erase(row);
        }
        if (session != null) {
            erase(session);
        }
        deleted.removeAll(AuditRow.erased(link, idHash));
        for (long number : deleted) {
            AuditRow.insert(link, AuditRow.ERASE, number, idHash, now, 0);
        }
        return new Removed(sessions, events, removal.rows(), inherited, markers);
    }

    private void erase(SessionRow row) throws SQLException, DamagedRow {
        note(row.number());
        PreparedStatement keys = link.statement(KEYS);
        keys.setLong(1, row.number());
        try (ResultSet key = keys.executeQuery()) {
            while (key.next()) {
                markers.add(key.getString(1));
            }
        }
        markers.add(row.header());
        removal.remove(row, AuditRow.ERASE);
    }

    /** Notes what the rows of this number hold. */
    private void note(long number) throws SQLException {
        long every;
        PreparedStatement count = link.statement(COUNT_EVENTS);
        count.setLong(1, EventRow.key(number, 0));
        count.setLong(2, EventRow.key(number, EventRow.MAX_EVENTS));
        try (ResultSet row = count.executeQuery()) {
            row.next();
            events += row.getLong(1);
            every = Math.max(1, row.getLong(2) / NOTED_ROWS);
        }
        PreparedStatement select = link.statement(EVENTS);
        select.setLong(1, EventRow.key(number, 0));
        select.setLong(2, EventRow.key(number, EventRow.MAX_EVENTS));
        try (ResultSet row = select.executeQuery()) {
            for (long at = 0; row.next(); at++) {
                byte[] data = at % every == 0 ? row.getBytes(1) : null;
                if (data != null && data.length >= TELLING_BYTES) {
                    markers.add(data);
                }
            }
        }
    }

    /** All that cannot be left behind without these, and without those in turn, oldest first. */
    private Collection<SessionRow> needing(SessionId id, @Nullable SessionRow session, Set<Long> deleted)
            throws SQLException, DamagedRow {
        TreeMap<Long, SessionRow> found = new TreeMap<>();
        Deque<Long> owners = new ArrayDeque<>(deleted);
        Deque<String> parents = new ArrayDeque<>(List.of(StoredText.encode(id.value())));
        if (session != null) {
            owners.add(session.number());
        }
        while (!owners.isEmpty() || !parents.isEmpty()) {
            List<Long> more = owners.isEmpty() ? children(parents.remove()) : removal.needing(owners.remove());
            for (long number : more) {
                SessionRow row = Catalog.session(link, number).orElse(null);
                boolean itself = session != null && number == session.number();
                if (row != null && !itself && found.put(number, row) == null) {
                    owners.add(number);
                    parents.add(row.id());
                }
            }
        }
        return found.values();
    }

    private List<Long> children(String storedId) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        PreparedStatement find = link.statement(CHILDREN);
        find.setString(1, storedId);
        try (ResultSet row = find.executeQuery()) {
            while (row.next()) {
                numbers.add(row.getLong(1));
            }
        }
        return numbers;
    }

    private List<InheritedPart> inherited(SessionRow session) throws SQLException, DamagedRow {
        List<InheritedPart> parts = new ArrayList<>();
        for (Segment part : Segment.before(Segment.of(link, session), session.firstSeq())) {
            Optional<SessionRow> owner = Catalog.session(link, part.owner());
            String name = owner.isPresent()
                    ? owner.get().sessionId().value()
                    : KeptPrefix.find(link, part.owner())
                            .map(KeptPrefix::idHash)
                            .orElse("number " + part.owner());
            parts.add(new InheritedPart(name, part.from(), part.to()));
        }
        return parts;
    }
}
