package io.surfacelog.store;

/** The store cannot be read or written now: locked for too long, disk full, read-only, gone, closed; {@link #reason()} says why. */
public final class StoreUnavailableException extends StoreException {

    private static final long serialVersionUID = 1L;

    /** Why a store cannot be used. */
    public enum Reason {
        LOCKED,
        DISK_FULL,
        READ_ONLY,
        CANNOT_OPEN,
        /** The database, or a file that belongs to it, was deleted, moved or replaced while it was open. */
        GONE,
        CLOSED,
        /** It holds all it can hold: one of the numbers it counts with is at its end. */
        CAPACITY,
        IO
    }

    private final Reason reason;

    public StoreUnavailableException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public StoreUnavailableException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
