package io.surfacelog.store.sqlite;

import io.surfacelog.store.StoredSubscription;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what ties sessions to each other and to removed ones: segments, kept prefixes, the audit, checkpoints and
 * durable subscriptions, of which each has to belong to a session.
 */
final class RemainsVerification {

    private static final String SEGMENTS = """
            SELECT session, from_seq, to_seq, owner, checksum
            FROM segment
            ORDER BY session, from_seq
            """;

    private static final String KEPT = "SELECT " + KeptPrefix.COLUMNS + " FROM kept_prefix ORDER BY number";

    private static final String AUDIT = "SELECT " + AuditRow.COLUMNS + " FROM audit ORDER BY entry";

    private static final String CHECKPOINTS = "SELECT session FROM checkpoint ORDER BY session";

    private static final String SUBSCRIPTIONS =
            "SELECT " + SubscriptionRow.COLUMNS + " FROM subscription ORDER BY name";

    private static final String LAST_KEPT_ROW = """
            SELECT key, n
            FROM event NOT INDEXED
            WHERE key >= ? AND key < ?
            ORDER BY key DESC
            LIMIT 1
            """;

    private final SqliteLink link;
    private final Faults faults;
    private final Map<Long, String> removed = new HashMap<>();
    private final Map<Long, KeptPrefix> kept = new HashMap<>();
    private final Map<Long, Long> needed = new HashMap<>();
    private Map<Long, @Nullable SessionRow> sessions = Map.of();
    private long lastGiven;

    RemainsVerification(SqliteLink link, Faults faults) {
        this.link = link;
        this.faults = faults;
    }

    /** Whether a session of this number is on record as removed. */
    boolean isRemoved(long number) {
        return removed.containsKey(number);
    }

    /** Whether a deleted session of this number may have rows of events. */
    boolean isKept(long number) {
        return kept.containsKey(number);
    }

    /**
     * Looks at everything.
     *
     * @param found all sessions by number; null for a row that cannot be read
     * @param last the last number that was given
     */
    void check(Map<Long, @Nullable SessionRow> found, long last) throws SQLException {
        sessions = found;
        lastGiven = last;
        faults.check(null, AuditRow.TABLE, this::checkAudit);
        faults.check(null, KeptPrefix.TABLE, this::readKept);
        faults.check(null, Segment.TABLE, this::checkSegments);
        faults.check(null, KeptPrefix.TABLE, this::checkKept);
        faults.check(null, CheckpointRow.TABLE, this::checkCheckpoints);
        faults.check(null, SubscriptionRow.TABLE, this::checkSubscriptions);
    }

    private void checkAudit() throws SQLException {
        long expected = 1;
        try (ResultSet row = link.statement(AUDIT).executeQuery()) {
            while (row.next()) {
                long entry = row.getLong(1);
                if (entry != expected) {
                    faults.add(null, AuditRow.TABLE, "expected entry " + expected + ", found entry " + entry);
                }
                expected = entry + 1;
                try {
                    check(AuditRow.read(row));
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                }
            }
        }
    }

    private void check(AuditRow entry) {
        removed.put(entry.number(), entry.idHash());
        if (entry.number() < 1 || entry.number() > lastGiven) {
            faults.add(
                    null,
                    AuditRow.TABLE,
                    "expected entry " + entry.entry() + " to be of a session up to " + lastGiven + ", found "
                            + entry.number());
        }
        if (sessions.containsKey(entry.number())) {
            faults.add(
                    null,
                    AuditRow.TABLE,
                    "expected session number " + entry.number() + " to be removed, found it there");
        }
    }

    private void readKept() throws SQLException {
        try (ResultSet row = link.statement(KEPT).executeQuery()) {
            while (row.next()) {
                try {
                    KeptPrefix read = KeptPrefix.read(row);
                    kept.put(read.number(), read);
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                }
            }
        }
    }

    private void checkSegments() throws SQLException {
        Set<Long> orphans = new HashSet<>();
        try (ResultSet row = link.statement(SEGMENTS).executeQuery()) {
            while (row.next()) {
                long session = row.getLong(1);
                if (!sessions.containsKey(session) && orphans.add(session)) {
                    faults.add(
                            null,
                            Segment.TABLE,
                            "expected session number " + session + " of its rows to exist, found none");
                }
                try {
                    check(session, Segment.read(row, null));
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                }
            }
        }
    }

    private void check(long session, Segment part) {
        needed.merge(part.owner(), part.to(), Math::max);
        SessionRow owner = sessions.get(part.owner());
        KeptPrefix prefix = kept.get(part.owner());
        boolean live = owner != null && part.from() >= owner.firstSeq() && part.to() <= owner.nextSeq();
        boolean unreadable = owner == null && sessions.containsKey(part.owner());
        if (!live && !unreadable && (prefix == null || prefix.to() < part.to())) {
            faults.add(
                    null,
                    Segment.TABLE,
                    "expected the events " + part.from() + " to " + (part.to() - 1) + " of session number " + session
                            + " to be those of number " + part.owner() + ", which has them not");
        }
    }

    private void checkKept() throws SQLException {
        for (KeptPrefix prefix : kept.values()) {
            long number = prefix.number();
            if (sessions.containsKey(number) || !prefix.idHash().equals(removed.get(number))) {
                faults.add(
                        null, KeptPrefix.TABLE, "expected number " + number + " to be a deleted session, found none");
            }
            if (needed.getOrDefault(number, 0L) != prefix.to()) {
                faults.add(
                        null,
                        KeptPrefix.TABLE,
                        "expected events of number " + number + " to be kept up to " + needed.getOrDefault(number, 0L)
                                + ", found up to " + prefix.to());
            }
            checkNothingBehind(prefix);
        }
    }

    private void checkNothingBehind(KeptPrefix prefix) throws SQLException {
        PreparedStatement select = link.statement(LAST_KEPT_ROW);
        select.setLong(1, EventRow.key(prefix.number(), 0));
        select.setLong(2, EventRow.key(prefix.number(), EventRow.MAX_EVENTS));
        try (ResultSet row = select.executeQuery()) {
            long end = row.next() ? EventRow.seqOf(row.getLong(1)) + row.getLong(2) : 0;
            if (end != prefix.to()) {
                faults.add(
                        null,
                        "event",
                        "expected the events of deleted number " + prefix.number() + " to end at " + prefix.to()
                                + ", found them to end at " + end);
            }
        }
    }

    private void checkCheckpoints() throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (ResultSet row = link.statement(CHECKPOINTS).executeQuery()) {
            while (row.next()) {
                numbers.add(row.getLong(1));
            }
        }
        for (long number : numbers) {
            SessionRow session = sessions.get(number);
            if (!sessions.containsKey(number)) {
                faults.add(null, CheckpointRow.TABLE, "expected session number " + number + " to exist, found none");
            } else if (session != null) {
                faults.check(
                        session.sessionId(),
                        CheckpointRow.TABLE,
                        () -> CheckpointRow.find(link, number, session.sessionId()));
            }
        }
    }

    private void checkSubscriptions() throws SQLException {
        try (ResultSet row = link.statement(SUBSCRIPTIONS).executeQuery()) {
            while (row.next()) {
                try {
                    StoredSubscription read = SubscriptionRow.read(row);
                    if (read.session() != 0 && !sessions.containsKey(read.session())) {
                        faults.add(
                                null,
                                SubscriptionRow.TABLE,
                                "expected session number " + read.session() + " of subscription " + read.name()
                                        + " to exist, found none");
                    }
                } catch (DamagedRow e) {
                    faults.add(e.fault());
                }
            }
        }
    }
}
