package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreFault;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Carries a fault from where a row is read to where it is known what becomes of it; never leaves this package. */
final class DamagedRow extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient StoreFault fault;

    DamagedRow(StoreFault fault) {
        super(fault.toString(), null, false, false);
        this.fault = fault;
    }

    static DamagedRow event(@Nullable SessionId session, long seq, String detail) {
        return new DamagedRow(new StoreFault(session, OptionalLong.of(seq), "event", detail));
    }

    static DamagedRow of(@Nullable SessionId session, String table, String detail) {
        return new DamagedRow(new StoreFault(session, OptionalLong.empty(), table, detail));
    }

    /** Compares a stored checksum with what the row gives. */
    static void check(long stored, long computed, @Nullable SessionId session, String table, String row)
            throws DamagedRow {
        if (stored != computed) {
            throw of(session, table, "expected " + row + " to have checksum " + computed + ", found " + stored);
        }
    }

    StoreFault fault() {
        return fault;
    }
}
