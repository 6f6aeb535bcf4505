package io.surfacelog.store;

/**
 * What a write stands behind to prove that its writer still holds a lease: a fence against whoever has lost it and does not
 * know.
 *
 * @param purpose what the lease was taken for
 * @param token the fencing token it was taken under
 */
public record LeaseToken(LeasePurpose purpose, long token) {

    /** The token of a driver's lease. */
    public static LeaseToken ofDriver(long token) {
        return new LeaseToken(LeasePurpose.DRIVER, token);
    }

    /** The token of a compaction lease. */
    public static LeaseToken ofCompaction(long token) {
        return new LeaseToken(LeasePurpose.COMPACTION, token);
    }
}
