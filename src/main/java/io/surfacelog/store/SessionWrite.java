package io.surfacelog.store;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one session asks of a commit: to be created, to grow, or both.
 *
 * @param id the session
 * @param create the header of a session to be created, null for one that exists
 * @param expectedNextSeq the stored tail this write was planned on: its first event has this seq
 * @param events admitted events with contiguous seqs; may be empty only on creation
 * @param idempotencyKey recorded with the events, in the same transaction, so it needs at least one; null for none
 * @param checkpoint of the log with these events, kept in the same transaction in the place of any other; null for none
 */
public record SessionWrite(
        SessionId id,
        @Nullable SessionHeader create,
        long expectedNextSeq,
        List<SessionEvent> events,
        @Nullable String idempotencyKey,
        @Nullable StoredCheckpoint checkpoint) {

    public SessionWrite {
        events = List.copyOf(events);
        if (create == null && events.isEmpty()) {
            throw new IllegalArgumentException("a write to session " + id + " holds no event and creates nothing");
        }
        if (create != null && (!create.id().equals(id) || expectedNextSeq != 0)) {
            throw new IllegalArgumentException("expected the header of session " + id
                    + " and a log that begins at 0, found " + create.id() + " and " + expectedNextSeq);
        }
        if (idempotencyKey != null && events.isEmpty()) {
            throw new IllegalArgumentException("the idempotency key \"" + idempotencyKey + "\" of a write to session "
                    + id + " stands for no event");
        }
        if (checkpoint != null && checkpoint.nextSeq() != expectedNextSeq + events.size()) {
            throw new IllegalArgumentException("expected a checkpoint after the " + (expectedNextSeq + events.size())
                    + " events of session " + id + ", found " + checkpoint);
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
            @Nullable String idempotencyKey) {
        this(id, create, expectedNextSeq, events, idempotencyKey, null);
    }

    public static SessionWrite create(SessionHeader header, List<SessionEvent> events) {
        return new SessionWrite(header.id(), header, 0, events, null);
    }

    public static SessionWrite append(
            SessionId id, long expectedNextSeq, List<SessionEvent> events, @Nullable String idempotencyKey) {
        return new SessionWrite(id, null, expectedNextSeq, events, idempotencyKey);
    }

    /** The tail after this write. */
    public long nextSeq() {
        return expectedNextSeq + events.size();
    }
}
