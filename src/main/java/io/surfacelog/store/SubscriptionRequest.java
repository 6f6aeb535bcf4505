package io.surfacelog.store;

import io.surfacelog.event.SessionId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a durable subscription.
 *
 * @param name its name
 * @param session the session it is of, null for all
 * @param position where it begins if there is none of this name: place of a commit
 * @param seq the last event of that commit it has heard, {@link StoredSubscription#WHOLE} for all
 * @param now what the clock of the one who asks says, Unix epoch milliseconds
 * @param duration how long it is held unless it is renewed
 */
public record SubscriptionRequest(
        String name, @Nullable SessionId session, long position, long seq, long now, Duration duration) {

    public SubscriptionRequest {
        StoredSubscription.requireName(name);
        if (duration.toMillis() < 1) {
            throw new IllegalArgumentException("expected to hold it for 1 ms or more, found " + duration);
        }
    }

    /**
     * Decides, for every backend alike.
     *
     * @param current the subscription as it is stored, null if there is none
     * @param ordinal that of the session, 0 for all
     * @return as it is to be stored, under a new token; empty if somebody holds it
     * @throws IllegalArgumentException if the stored one is of another session
     */
    public Optional<StoredSubscription> decide(@Nullable StoredSubscription current, long ordinal) {
        if (current == null) {
            return Optional.of(
                    new StoredSubscription(name, ordinal, position, seq, firstToken(), now, now).held(now, duration));
        }
        if (current.session() != ordinal) {
            throw new IllegalArgumentException("expected the durable subscription \"" + name + "\" to be of "
                    + (session == null ? "all sessions" : "session \"" + session + "\"")
                    + ", found that it is of " + (current.session() == 0 ? "all sessions" : "another session")
                    + "; give this one a name of its own, or forget the other first");
        }
        if (current.isHeld(now)) {
            return Optional.empty();
        }
        return Optional.of(new StoredSubscription(
                        name, ordinal, current.position(), current.seq(), Math.addExact(current.token(), 1), now, now)
                .held(now, duration));
    }

    /** One that nobody has who held this name before it was dropped. */
    private static long firstToken() {
        return ThreadLocalRandom.current().nextLong(1, 1L << 62);
    }
}
