package io.surfacelog.store;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one session asks of a commit: to be created, to grow, or both.
 *
 * @param id the session
 * @param create the header of a session to be created, null for one that exists
 * @param prefixOf for a fork, the session whose first {@code expectedNextSeq} events become those of the new one, by
 *     reference; null for none
 * @param expectedNextSeq the stored tail this write was planned on: its first event has this seq
 * @param events admitted events with contiguous seqs; may be empty only on creation
 * @param keys idempotency keys, recorded in the same transaction, each with those of the events it stands for, one at
 *     least; in the order in which they are looked up
 * @param checkpoint of the log with these events, kept in the same transaction in the place of any other; null for none
 * @param token the writer's fencing token: the write is refused unless the session's lease for that purpose has this very
 *     token; null for a write that no lease stands behind
 */
public record SessionWrite(
        SessionId id,
        @Nullable SessionHeader create,
        @Nullable SessionId prefixOf,
        long expectedNextSeq,
        List<SessionEvent> events,
        Map<String, KeyedAppend> keys,
        @Nullable StoredCheckpoint checkpoint,
        @Nullable LeaseToken token) {

    public SessionWrite {
        events = List.copyOf(events);
        keys = keys.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(keys));
        if (create == null && events.isEmpty()) {
            throw new IllegalArgumentException("a write to session " + id + " holds no event and creates nothing");
        }
        if (create != null && (!create.id().equals(id) || (prefixOf == null && expectedNextSeq != 0))) {
            throw new IllegalArgumentException("expected the header of session " + id
                    + " and a log that begins at 0, found " + create.id() + " and " + expectedNextSeq);
        }
        if (prefixOf != null && (create == null || token != null)) {
            throw new IllegalArgumentException("a prefix of session " + prefixOf + " is only for a new session, which "
                    + id + " is not or nobody can hold a lease on yet");
        }
        long end = expectedNextSeq + events.size();
        keys.forEach((key, used) -> {
            if (used.count() < 1 || used.firstSeq() < expectedNextSeq || used.firstSeq() > end - used.count()) {
                throw new IllegalArgumentException("the idempotency key \"" + key + "\" of a write to session " + id
                        + " stands for " + used.count() + " events from seq " + used.firstSeq()
                        + ", expected one or more from " + expectedNextSeq + " to " + (end - 1));
            }
        });
        if (checkpoint != null && checkpoint.nextSeq() != end) {
            throw new IllegalArgumentException(
                    "expected a checkpoint after the " + end + " events of session " + id + ", found " + checkpoint);
        }
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).seq() != expectedNextSeq + i) {
                throw new IllegalArgumentException("expected seq " + (expectedNextSeq + i) + " in a write to session "
                        + id + ", found " + events.get(i).seq());
            }
        }
    }

    /** Without prefix, checkpoint and token. */
    public SessionWrite(
            SessionId id,
            @Nullable SessionHeader create,
            long expectedNextSeq,
            List<SessionEvent> events,
            Map<String, KeyedAppend> keys) {
        this(id, create, null, expectedNextSeq, events, keys, null, null);
    }

    /** A new session that begins with these events, numbered from 0. */
    public static SessionWrite create(SessionHeader header, List<SessionEvent> events) {
        return new SessionWrite(header.id(), header, 0, events, Map.of());
    }

    /** A session that shares the first so many events of another one, and goes on with its own. */
    public static SessionWrite fork(SessionHeader header, SessionId of, long prefix, List<SessionEvent> events) {
        return new SessionWrite(header.id(), header, of, prefix, events, Map.of(), null, null);
    }

    /** Events for the end of a session that exists, all under one key, null for none. */
    public static SessionWrite append(
            SessionId id, long expectedNextSeq, List<SessionEvent> events, @Nullable String idempotencyKey) {
        Map<String, KeyedAppend> keys = idempotencyKey == null
                ? Map.of()
                : Map.of(idempotencyKey, new KeyedAppend(expectedNextSeq, events.size()));
        return new SessionWrite(id, null, expectedNextSeq, events, keys);
    }

    /** The same as the write of a driver. */
    public SessionWrite underLease(long driversToken) {
        return underLease(LeaseToken.ofDriver(driversToken));
    }

    /** The same as the write of whoever holds this lease. */
    public SessionWrite underLease(LeaseToken held) {
        return new SessionWrite(id, create, prefixOf, expectedNextSeq, events, keys, checkpoint, held);
    }

    /** The tail after this write. */
    public long nextSeq() {
        return expectedNextSeq + events.size();
    }
}
