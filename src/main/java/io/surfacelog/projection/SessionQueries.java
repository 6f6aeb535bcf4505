package io.surfacelog.projection;

import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.TranscriptEntry;
import java.util.List;
import java.util.function.Consumer;

/**
 * The query side: what a session holds, what the model sees of it, and why. Inject it.
 *
 * <pre>{@code
 * List<Message> context = queries.messages(id);           // what the model sees now
 * List<Message> then = queries.messagesAsOf(id, 812);     // what it saw after event 812
 * Provenance why = queries.provenance(id, 57);            // what 57 was made of, and what became of it
 * }</pre>
 *
 * <p>Shows only what is durable. What this process committed is seen at once; what another process committed is seen at
 * the next write to the session or on {@link #refresh}. "Live" below means that the session is among those held in
 * memory; one that is not is opened first, once: at O(surface and what is no
 * stream chunk since its checkpoint), or at O(log) where there is no checkpoint. All results are immutable; all methods may be called by any
 * thread, and none writes to a log. A session that does not exist is an {@link io.surfacelog.store.UnknownSessionException}, a
 * seq it does not hold an {@link UnknownEventException}, a log that cannot be read as it was written a {@link
 * io.surfacelog.store.DamagedStoreException}.
 */
public interface SessionQueries {

    /** Queries over this store, which read the live surfaces of the projection. */
    static SessionQueries of(EventStore store, SurfaceProjection projection) {
        return of(store, projection, QueryObserver.NONE);
    }

    /** The same, of which somebody is told. */
    static SessionQueries of(EventStore store, SurfaceProjection projection, QueryObserver observer) {
        return new DefaultSessionQueries(store, projection, observer);
    }

    /** Whether the store holds the session. Cost: one look-up. */
    boolean exists(SessionId id);

    /** The header of the session. Cost: O(1) when live, else one look-up. */
    SessionHeader header(SessionId id);

    /** One page of sessions, newest first. Cost: O(sessions passed over + page). */
    SessionPage list(SessionFilter filter);

    /** The seq the next event will have, so also the number of events. Cost: O(1) when live. */
    long nextSeq(SessionId id);

    /** The event of this seq. Cost: one look-up, whatever the length of the log. */
    SessionEvent event(SessionId id, long seq);

    /** The events with seqs in [from, to), as far as there are any. Cost: O(events asked for). */
    List<SessionEvent> events(SessionId id, long from, long to);

    /**
     * Those of the events with seqs in [from, to) that have surface types. Cost: O(surface events asked for); next to nothing
     * for the stream chunks between them.
     */
    List<SessionEvent> surfaceEvents(SessionId id, long from, long to);

    /** The last events, at most so many, in seq order. Cost: O(events asked for). */
    List<SessionEvent> tail(SessionId id, int count);

    /** Calls the action with each event in seq order, page by page. Cost: O(log) time, flat memory. */
    void forEach(SessionId id, Consumer<SessionEvent> action);

    /** What the model sees, as nodes. Cost: O(1) when live. */
    Surface surface(SessionId id);

    /** The messages the model sees, in order: an immutable view. Cost: O(1) when live. */
    List<Message> messages(SessionId id);

    /** What the model would be asked now. Cost: O(1) when live. */
    ModelRequest request(SessionId id);

    /**
     * The surface after the event of this seq, exactly as it was then: nodes, messages and headers, time, findings, the
     * open turn and what recovery would have closed. Cost: O(events up to it, or from a checkpoint before it, without stream
     * chunks but those of a step open then).
     */
    Surface surfaceAsOf(SessionId id, long seq);

    /** The messages after the event of this seq. Cost as {@link #surfaceAsOf}. */
    List<Message> messagesAsOf(SessionId id, long seq);

    /** What the model would have been asked after the event of this seq. Cost as {@link #surfaceAsOf}. */
    ModelRequest requestAsOf(SessionId id, long seq);

    /** What a person saw: appended messages, and a mark for each replace, in log order. Cost: O(surface events). */
    List<TranscriptEntry> transcript(SessionId id);

    /** All replaces with what each took off the surface, in log order. Cost: O(surface events). */
    List<Replacement> replacements(SessionId id);

    /** Where an event comes from and what became of it. Cost: O(surface events). */
    Provenance provenance(SessionId id, long seq);

    /** Takes in what other processes have committed. Cost: O(new events), at least one look at the store. */
    Surface refresh(SessionId id);
}
