package io.surfacelog.store;

import io.surfacelog.event.SessionId;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A row is not as it was written, or is missing; it is never returned as data. Reading other sessions, and what of this
 * one does not need the row, goes on; restore the database from a copy, or export what can still be read.
 */
public final class DamagedStoreException extends StoreException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String session;
    private final long seq;
    private final String where;
    private final String detail;

    public DamagedStoreException(StoreFault fault) {
        super("damaged: " + fault
                + "; nothing was changed: restore the database from a copy, or run verify to see all");
        this.session = fault.session() == null ? null : fault.session().value();
        this.seq = fault.seq().orElse(-1);
        this.where = fault.where();
        this.detail = fault.detail();
    }

    public Optional<SessionId> session() {
        return Optional.ofNullable(session).map(SessionId::of);
    }

    /** The event that cannot be read, empty where it is not about one. */
    public OptionalLong seq() {
        return seq < 0 ? OptionalLong.empty() : OptionalLong.of(seq);
    }

    public StoreFault fault() {
        return new StoreFault(session().orElse(null), seq(), where, detail);
    }
}
