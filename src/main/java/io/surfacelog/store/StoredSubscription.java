package io.surfacelog.store;

import java.time.Duration;

/**
 * A durable subscription: how far it has come, and until when somebody holds it. Names and sessions aside it is numbers
 * only, so that nothing of a session's content is kept with it.
 *
 * @param name its name, one of {@value #NAME}
 * @param session {@linkplain StoredSession#ordinal() ordinal} of the session it is of; 0 for all sessions
 * @param position place of the commit it has come to
 * @param seq the last event of that commit it has heard; −1 for all of them, and for none where the position is 0
 * @param token the fencing token, from 1, one more each time it is taken; where a name begins anew, it begins somewhere, so that
 *     who held it before holds nothing of it
 * @param renewedAt when it was taken, moved or let go last, Unix epoch milliseconds by the clock of who did
 * @param heldUntil until when it is held, likewise; not after {@code renewedAt} if nobody holds it
 */
public record StoredSubscription(
        String name, long session, long position, long seq, long token, long renewedAt, long heldUntil) {

    /** What a name looks like. */
    public static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

    /** {@link #seq} of a subscription that has heard all of its commit. */
    public static final long WHOLE = -1;

    public StoredSubscription {
        requireName(name);
        if (session < 0 || position < 0 || seq < WHOLE || token < 1 || heldUntil < renewedAt) {
            throw new IllegalArgumentException("expected a session and a position from 0, a seq from " + WHOLE
                    + ", a token from 1 and an end not before its beginning, found " + session + ", " + position + ", "
                    + seq + ", " + token + ", " + renewedAt + " to " + heldUntil);
        }
    }

    /** Returns the name if it is one. */
    public static String requireName(String name) {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException(
                    "expected the name of a durable subscription to be like " + NAME + ", found \"" + name + "\"");
        }
        return name;
    }

    /** Whether somebody holds it at this time, Unix epoch milliseconds; by the same rule as {@link StoredLease#isLive}. */
    public boolean isHeld(long now) {
        return now < heldUntil && now >= renewedAt - StoredLease.CLOCK_TOLERANCE.toMillis();
    }

    /** The same, come as far as this. */
    public StoredSubscription at(long newPosition, long newSeq) {
        return new StoredSubscription(name, session, newPosition, newSeq, token, renewedAt, heldUntil);
    }

    /** The same, from now on held for this long. */
    public StoredSubscription held(long now, Duration duration) {
        return new StoredSubscription(
                name, session, position, seq, token, now, Math.addExact(now, duration.toMillis()));
    }

    /** The same, held by nobody. */
    public StoredSubscription letGo(long now) {
        return new StoredSubscription(name, session, position, seq, token, now, now);
    }
}
