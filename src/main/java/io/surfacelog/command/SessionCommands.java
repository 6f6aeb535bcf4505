package io.surfacelog.command;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionRemoval;
import io.surfacelog.stream.EventDispatcher;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * The command side: the single door through which anything is written. Inject it.
 *
 * <pre>{@code
 * SessionId id = commands.create(SessionHeader.builder().cwd("/srv/app").build());
 * commands.append(id, TurnStart.of(1));
 * commands.append(id, UserMessage.of("Where is my parcel?"), SurfaceIntent.append());
 * }</pre>
 *
 * <p>Every write passes the interceptors, then admission, which is the same at every door, and is then committed. A
 * blocking method returns when its events are durable and the queries show them; a future completes then. A refused
 * write changes nothing. Appends of one session are ordered as they were made. All methods may be called by any thread.
 * A future completes on a thread for that: what was hung on it by then runs there, and may write and wait itself; what is
 * hung on a complete one runs at once, on the thread that hangs it there. Continuations of many futures that take their
 * time belong on an executor of the application's.
 *
 * <p>What is planned and not yet committed is bounded by {@link QueueSettings}: without room, every method that writes
 * waits for it, the asynchronous ones too, or fails, as is set. A commit that fails fails the appends in it, with what
 * the store said, and those planned on them, with an {@link AppendConflictException}; whether it failed before or after
 * the events were stored is found out by reading before anyone is answered. An append that is refused for the sake of
 * others which are not committed yet waits for their commits before it is refused, the asynchronous ones too.
 *
 * <p>Refusals: {@link io.surfacelog.event.AdmissionException} with its rule, {@link
 * io.surfacelog.surface.StructureException} where structure is enforced, {@link StaleSeqException}, {@link
 * IdempotencyConflictException}, {@link SessionExistsException}, {@link AppendConflictException}, {@link
 * LeaseHeldException}, {@link LeaseLostException}, {@link EventHandleException}, {@link QueueFullException}, {@link WriteInterruptedException}, {@link
 * io.surfacelog.store.UnknownSessionException}; {@link io.surfacelog.store.StoreException} where the store fails, {@link
 * OutcomeUnknownException} where it cannot even tell whether it did. A
 * future fails with the same. Cost: O(new events), and one durable commit shared with whoever
 * else is writing.
 */
public interface SessionCommands extends AutoCloseable {

    /**
     * Commands that commit to this store, apply to this projection and publish to this dispatcher.
     *
     * @param interceptors outermost first
     * @param clock gives events their times
     */
    static SessionCommands of(
            EventStore store,
            SurfaceProjection projection,
            EventDispatcher dispatcher,
            CommandSettings settings,
            List<CommandInterceptor> interceptors,
            Clock clock) {
        return of(store, projection, dispatcher, settings, interceptors, clock, CommandObserver.NONE);
    }

    /**
     * The same.
     *
     * @param observer is told how they go
     */
    static SessionCommands of(
            EventStore store,
            SurfaceProjection projection,
            EventDispatcher dispatcher,
            CommandSettings settings,
            List<CommandInterceptor> interceptors,
            Clock clock,
            CommandObserver observer) {
        return new DefaultSessionCommands(store, projection, dispatcher, settings, interceptors, clock, observer);
    }

    /** Creates a session without events. */
    SessionId create(SessionHeader header);

    /**
     * Creates a session that begins with a log to replay, numbered from 0. {@code session/end-seed} is appended unless
     * the log ends in one. All or nothing.
     */
    SessionId create(SessionHeader header, List<EventCandidate> seed);

    /** Creates a session; {@link CreateSession} has all that can be said. */
    Appended create(CreateSession command);

    /** Takes over a log of any length from elsewhere; {@link ImportSession} has all that can be said. */
    Imported importLog(ImportSession command);

    /** Forks a session at its last event, under a new random id. */
    Forked fork(SessionId source);

    /** Forks a session at this event, which is the last that is shared. */
    Forked fork(SessionId source, long boundary);

    /**
     * Forks a session; {@link ForkSession} has all that can be said. Cost: O(events since the last turn began or ended), and
     * one commit; where the boundary is not the last event, also a look at the surface column of the rows on the shorter side
     * of it.
     *
     * @throws ForkException with the reason, if it is refused
     */
    Forked fork(ForkSession command);

    /**
     * Removes a session: it is unknown from now on. Forks of it keep what they share. What is queued for it fails with an
     * {@link io.surfacelog.store.UnknownSessionException}. Another process notices when it next looks at the store. Durable;
     * but bytes may be left in the files, to which {@link #erase} sees. Cost: O(events of its own).
     */
    SessionRemoval delete(SessionId session);

    /**
     * Removes a session, deleted before or not, so that no byte of its content and its id is left in the store, and proves it.
     * Everybody's writes wait meanwhile. Cost: O(store).
     *
     * @throws io.surfacelog.store.SessionNeededException if other sessions need it and are not to be erased with it
     * @throws io.surfacelog.store.ErasureIncompleteException if it is removed, but what is left could not be cleared away; to
     *     be called again
     */
    ErasureProof erase(EraseSession command);

    /** Appends one surface event. */
    Appended append(SessionId session, SurfacePayload payload, SurfaceIntent intent);

    /** Appends one log-only event. */
    Appended append(SessionId session, LogOnlyPayload payload);

    /** Appends a batch; {@link AppendEvents} has all that can be said. */
    Appended append(AppendEvents command);

    /** Appends all events or none. */
    Appended appendAll(SessionId session, List<EventDraft> batch);

    /**
     * Appends all events or none; the function gets the seq of the first one, so that they can cite each other. It may
     * be called again, on another thread; it must be quick and must not write itself:
     *
     * <pre>{@code
     * commands.appendAll(id, next -> List.of(
     *         EventDraft.of(ToolCall.of(1, 1, call)),
     *         EventDraft.of(result, SurfaceIntent.append().citing(next))));
     * }</pre>
     */
    Appended appendAll(SessionId session, LongFunction<List<EventDraft>> batch);

    /** As {@link #append(SessionId, SurfacePayload, SurfaceIntent)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAsync(SessionId session, SurfacePayload payload, SurfaceIntent intent);

    /** As {@link #append(SessionId, LogOnlyPayload)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAsync(SessionId session, LogOnlyPayload payload);

    /** As {@link #append(AppendEvents)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAsync(AppendEvents command);

    /** As {@link #appendAll(SessionId, List)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAllAsync(SessionId session, List<EventDraft> batch);

    /** As {@link #appendAll(SessionId, LongFunction)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAllAsync(SessionId session, LongFunction<List<EventDraft>> batch);

    /**
     * Waits until everything appended to the session before this call is committed or has failed, which their callers are
     * told and this one is not. Returns at once for a session to which nothing is being written, an unknown one too. Cost:
     * O(appends that are not committed).
     */
    void flush(SessionId session);

    /** As {@link #flush}, without waiting: the future completes then, and never with the failure of an append. */
    CompletableFuture<Void> flushAsync(SessionId session);

    /**
     * Closes what a crash left open: appends the closers of the log, in one commit; none, and no commit, if it is
     * balanced. Never done by appending, reading or opening. Whoever drove the session and is gone is kept out from then on.
     * Cost: as {@link io.surfacelog.surface.Closers#of}.
     *
     * @throws LeaseHeldException if somebody holds the driver's lease, this process too; of a process that has died on this
     *     machine that is never so
     */
    Appended recover(SessionId session);

    /** The same; {@link RecoverSession} has all that can be said. */
    Appended recover(RecoverSession command);

    /**
     * Takes the driver's lease, and closes what a crash left open, in one commit. Close the lease when the work is done.
     * Cost: as {@link #recover(SessionId)}, and one commit in any case.
     *
     * @throws LeaseHeldException as there
     */
    DriverLease drive(SessionId session);

    /** The same; {@link DriveSession} has all that can be said. */
    DriverLease drive(DriveSession command);

    /**
     * Takes the compaction lease: from then on an open compaction in the log is that of its holder, or was left by somebody who
     * is gone. Close the lease when the compaction has ended. Cost: one commit.
     *
     * @throws LeaseHeldException if somebody holds it, this process too; of a process that has died on this machine that is
     *     never so
     */
    CompactionLease leaseCompaction(SessionId session);

    /** How writing goes in this process, for those who watch it. Never waits for a commit. Cost: O(sessions with queued writes). */
    WriterStatus writer();

    /** Commits what was let in and lets in no more, and releases the leases that are held; the store stays open. */
    @Override
    void close();
}
