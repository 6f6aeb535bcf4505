package io.surfacelog.store;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a lease, and for the events that belong to its taking.
 *
 * <pre>{@code
 * LeaseRequest.by(holder, id, LeasePurpose.DRIVER, clock.millis(), Duration.ofSeconds(30))
 *         .alsoIf(lease -> isOfADeadProcess(lease))
 *         .writing(nextSeq, closers);
 * }</pre>
 *
 * @param session the session
 * @param purpose what for
 * @param holder who is to hold it; null to take it from whoever has it and leave it released, under a new token
 * @param now what the clock of the one who asks says, Unix epoch milliseconds
 * @param duration how long it lives unless it is renewed, from 1 ms
 * @param takenOver whether a live lease may be taken over all the same; asked inside of the transaction, so it must be quick
 *     and must not use the store
 * @param expectedNextSeq the tail the taking was planned on; empty if it does not matter
 * @param events to be stored in the same transaction, where the tail is the expected one; may be empty
 */
public record LeaseRequest(
        SessionId session,
        LeasePurpose purpose,
        @Nullable LeaseHolder holder,
        long now,
        Duration duration,
        Predicate<StoredLease> takenOver,
        OptionalLong expectedNextSeq,
        List<SessionEvent> events) {

    public LeaseRequest {
        events = List.copyOf(events);
        if (duration.toMillis() < 1) {
            throw new IllegalArgumentException("expected a lease of 1 ms or more, found " + duration);
        }
        if (!events.isEmpty()
                && (expectedNextSeq.isEmpty()
                        || expectedNextSeq.getAsLong() != events.get(0).seq())) {
            throw new IllegalArgumentException("expected events from seq "
                    + events.get(0).seq() + " on to come with that seq, found " + expectedNextSeq);
        }
    }

    /** Asks for the lease if nobody else holds it. */
    public static LeaseRequest by(
            @Nullable LeaseHolder holder, SessionId session, LeasePurpose purpose, long now, Duration duration) {
        return new LeaseRequest(
                session, purpose, holder, now, duration, live -> false, OptionalLong.empty(), List.of());
    }

    /** The same, also for a live lease of which this holds. */
    public LeaseRequest alsoIf(Predicate<StoredLease> mayBeTakenOver) {
        return new LeaseRequest(
                session, purpose, holder, now, duration, takenOver.or(mayBeTakenOver), expectedNextSeq, events);
    }

    /** The same, whoever holds it. */
    public LeaseRequest forced() {
        return alsoIf(live -> true);
    }

    /** The same, only where the log ends at this seq, and together with these events. */
    public LeaseRequest writing(long nextSeq, List<SessionEvent> newEvents) {
        return new LeaseRequest(
                session, purpose, holder, now, duration, takenOver, OptionalLong.of(nextSeq), newEvents);
    }

    /**
     * Decides, for every backend alike.
     *
     * @param current the lease as it is stored, null if there never was one
     * @return the new lease, under a new token; empty if somebody holds it
     */
    public Optional<StoredLease> decide(@Nullable StoredLease current) {
        if (current != null && current.isLive(now) && !takenOver.test(current)) {
            return Optional.empty();
        }
        long token = current == null ? 1 : Math.addExact(current.token(), 1);
        StoredLease taken = new StoredLease(session, purpose, token, holder, now, now);
        return Optional.of(holder == null ? taken : taken.renewed(now, duration));
    }
}
