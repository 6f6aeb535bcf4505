package io.surfacelog.store;

import io.surfacelog.event.SessionId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lease as the store knows it. It stays when it is released or has expired, so that its token is never given again.
 *
 * <p>Times are what the clocks of its holders said. A lease is live from when it was renewed until it expires, and never
 * for longer than it was taken for: where the clock says that it is renewed in the future, the clock has stepped back,
 * nobody can tell how long ago the renewal was, and the lease counts as expired. The holder's next renewal puts that right,
 * and if somebody else was faster, the token keeps its writes out.
 *
 * @param session the session
 * @param purpose what for
 * @param token the fencing token, from 1: greater than that of every lease before it on this session for this purpose
 * @param holder who holds it, null if it was released
 * @param renewedAt when it was taken, renewed or released last, Unix epoch milliseconds
 * @param expiresAt when it expires, Unix epoch milliseconds
 */
public record StoredLease(
        SessionId session,
        LeasePurpose purpose,
        long token,
        @Nullable LeaseHolder holder,
        long renewedAt,
        long expiresAt) {

    /** By how much two clocks may differ: a renewal in a future no farther away than that is one of just now. */
    public static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

    public StoredLease {
        if (token < 1 || expiresAt < renewedAt) {
            throw new IllegalArgumentException("expected a token from 1 and an expiry not before " + renewedAt
                    + " of a lease on session " + session + ", found " + token + " and " + expiresAt);
        }
    }

    /** Whether somebody holds it at this time, Unix epoch milliseconds, and it has not expired. */
    public boolean isLive(long now) {
        return holder != null && now < expiresAt && now >= renewedAt - CLOCK_TOLERANCE.toMillis();
    }

    /** The same lease, from now on for this long. */
    public StoredLease renewed(long now, Duration duration) {
        return new StoredLease(session, purpose, token, holder, now, Math.addExact(now, duration.toMillis()));
    }

    /** The same lease, held by nobody. */
    public StoredLease released(long now) {
        return new StoredLease(session, purpose, token, null, now, now);
    }
}
