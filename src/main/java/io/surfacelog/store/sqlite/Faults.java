package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreFault;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Collects what a verification finds, the first thousand of it. Not safe for use by several threads. */
final class Faults {

    private static final int MOST = 1_000;

    /** One part of a verification. */
    interface Check {
        void run() throws SQLException, DamagedRow;
    }

    private final List<StoreFault> found = new ArrayList<>();
    private long more;

    void add(StoreFault fault) {
        if (found.size() < MOST) {
            found.add(fault);
        } else {
            more++;
        }
    }

    void add(@Nullable SessionId session, String where, String detail) {
        add(new StoreFault(session, OptionalLong.empty(), where, detail));
    }

    void addEvent(SessionId session, long seq, String detail) {
        add(new StoreFault(session, OptionalLong.of(seq), "event", detail));
    }

    /**
     * Runs a part; what it cannot read for damage is a finding like others, so that the other parts still run.
     *
     * @throws SQLException if the store cannot be read for another reason
     */
    void check(@Nullable SessionId session, String where, Check part) throws SQLException {
        try {
            part.run();
        } catch (DamagedRow e) {
            add(e.fault());
        } catch (SQLException e) {
            if (!SqliteErrors.isDamage(e)) {
                throw e;
            }
            add(session, where, "SQLite cannot read it: " + e.getMessage());
        }
    }

    List<StoreFault> all() {
        List<StoreFault> all = new ArrayList<>(found);
        if (more > 0) {
            all.add(new StoreFault(null, OptionalLong.empty(), "verification", "and " + more + " more of the kind"));
        }
        return List.copyOf(all);
    }
}
