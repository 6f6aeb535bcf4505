package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.LeaseToken;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * Append a batch of events, all or none.
 *
 * <pre>{@code
 * commands.append(AppendEvents.to(id, drafts).expectingNextSeq(12).idempotencyKey("order-4711"));
 * }</pre>
 *
 * @param session the session
 * @param batch from the seq of the first event to the events; called again if the batch has to be planned again, then
 *     on another thread, so it must be quick, and it must not write itself
 * @param expectedNextSeq the tail the caller has seen; empty to append wherever the log ends
 * @param idempotencyKey a key of the session under which a repeated append returns the first result
 * @param leaseToken the token of the lease it is made under; empty for a plain append
 */
public record AppendEvents(
        SessionId session,
        LongFunction<List<EventDraft>> batch,
        OptionalLong expectedNextSeq,
        Optional<String> idempotencyKey,
        Optional<LeaseToken> leaseToken)
        implements SessionCommand<Appended> {

    /** A plain append. */
    public AppendEvents(
            SessionId session,
            LongFunction<List<EventDraft>> batch,
            OptionalLong expectedNextSeq,
            Optional<String> idempotencyKey) {
        this(session, batch, expectedNextSeq, idempotencyKey, Optional.empty());
    }

    /** Append these events. */
    public static AppendEvents to(SessionId session, List<EventDraft> events) {
        List<EventDraft> copy = List.copyOf(events);
        return to(session, nextSeq -> copy);
    }

    /** Append the events that this function makes of the seq of the first one, so that they can cite each other. */
    public static AppendEvents to(SessionId session, LongFunction<List<EventDraft>> batch) {
        return new AppendEvents(session, batch, OptionalLong.empty(), Optional.empty());
    }

    /** The same append, refused with a {@link StaleSeqException} if the log ends elsewhere. */
    public AppendEvents expectingNextSeq(long seq) {
        return new AppendEvents(session, batch, OptionalLong.of(seq), idempotencyKey, leaseToken);
    }

    /** The same append under a key; with the same content again it returns the first result. */
    public AppendEvents idempotencyKey(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("an idempotency key must not be empty");
        }
        return new AppendEvents(session, batch, expectedNextSeq, Optional.of(key), leaseToken);
    }

    /**
     * The same append as that of a driver, refused with a {@link LeaseLostException} unless the session's driver's lease
     * still has this token. {@link DriverLease} does it.
     */
    public AppendEvents underLease(long token) {
        return underLease(LeaseToken.ofDriver(token));
    }

    /** The same append under this lease; {@link DriverLease} and {@link CompactionLease} do it. */
    public AppendEvents underLease(LeaseToken held) {
        return new AppendEvents(session, batch, expectedNextSeq, idempotencyKey, Optional.of(held));
    }

    /**
     * Whether these events are what this append would have stored in their place.
     *
     * @param durable whether they are stored for good, so that the handles of the append may name them
     */
    boolean became(List<SessionEvent> stored, boolean durable) {
        if (stored.isEmpty()) {
            return false;
        }
        List<EventDraft> drafts = batch.apply(stored.get(0).seq());
        if (drafts.size() != stored.size()) {
            return false;
        }
        BatchPlaces places = new BatchPlaces(session);
        for (int i = 0; i < drafts.size(); i++) {
            SessionEvent event = stored.get(i);
            if (!places.next(drafts.get(i), event.seq(), event.time()).hasContentOf(event)) {
                return false;
            }
        }
        if (durable) {
            places.nameWhereFree();
        }
        return true;
    }
}
