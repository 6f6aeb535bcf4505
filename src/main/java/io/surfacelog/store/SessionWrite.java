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
 * @param expectedNextSeq the stored tail this write was planned on: its first event has this seq
 * @param events admitted events with contiguous seqs; may be empty only on creation
 * @param keys idempotency keys, recorded in the same transaction, each with those of the events it stands for, one at
 *     least; in the order in which they are looked up
 * @param checkpoint of the log with these events, kept in the same transaction in the place of any other; null for none
 */
public record SessionWrite(
        SessionId id,
        @Nullable SessionHeader create,
        long expectedNextSeq,
        List<SessionEvent> events,
        Map<String, KeyedAppend> keys,
        @Nullable StoredCheckpoint checkpoint) {

    public SessionWrite {
        events = List.copyOf(events);
        keys = keys.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(keys));
        if (create == null && events.isEmpty()) {
            throw new IllegalArgumentException("a write to session " + id + " holds no event and creates nothing");
        }
        if (create != null && (!create.id().equals(id) || expectedNextSeq != 0)) {
            throw new IllegalArgumentException("expected the header of session " + id
                    + " and a log that begins at 0, found " + create.id() + " and " + expectedNextSeq);
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

    /** A write without a checkpoint. */
    public SessionWrite(
            SessionId id,
            @Nullable SessionHeader create,
            long expectedNextSeq,
            List<SessionEvent> events,
            Map<String, KeyedAppend> keys) {
        this(id, create, expectedNextSeq, events, keys, null);
    }

    public static SessionWrite create(SessionHeader header, List<SessionEvent> events) {
        return new SessionWrite(header.id(), header, 0, events, Map.of());
    }

    /** All events under one key, null for none. */
    public static SessionWrite append(
            SessionId id, long expectedNextSeq, List<SessionEvent> events, @Nullable String idempotencyKey) {
        Map<String, KeyedAppend> keys = idempotencyKey == null
                ? Map.of()
                : Map.of(idempotencyKey, new KeyedAppend(expectedNextSeq, events.size()));
        return new SessionWrite(id, null, expectedNextSeq, events, keys);
    }

    /** The tail after this write. */
    public long nextSeq() {
        return expectedNextSeq + events.size();
    }
}
