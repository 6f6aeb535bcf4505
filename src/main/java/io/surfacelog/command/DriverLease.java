package io.surfacelog.command;

import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfacePayload;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * The right to run the turns of a session: one driver at a time has it, over all processes that have the store open.
 *
 * <pre>{@code
 * try (DriverLease driver = commands.drive(id)) {
 *     driver.append(TurnStart.of(1));
 *     driver.append(UserMessage.of("Where is my parcel?"), SurfaceIntent.append());
 *     driver.append(TurnEnd.of(1, TurnEndReason.completed()));
 * }
 * }</pre>
 *
 * <p>It is renewed by itself until it is closed, as long as this process lives. What is appended here is stored only while
 * it is held: once somebody else has taken it over, by force or because it could not be renewed for its whole duration,
 * each append is refused with a {@link LeaseLostException} and stores nothing. Then {@linkplain SessionCommands#drive drive}
 * again, once the other one is done. It keeps nobody else from plain appends through {@link SessionCommands}, with which its
 * own are ordered as they are committed.
 *
 * <p>The appends are those of {@link SessionCommands}, with the same results, refusals and costs, and one look-up more in
 * the transaction. All methods may be called by any thread.
 */
public interface DriverLease extends AutoCloseable {

    /** The session it is for. */
    SessionId session();

    /** Its fencing token: greater than that of each lease before it. */
    long token();

    /** What was closed when it was taken; without events if nothing was open. */
    Appended recovered();

    /**
     * Whether it is held for all this process knows: not closed, not found to be lost, and renewed within its duration. Asks
     * nobody, so only a commit tells for sure. Cost: O(1).
     */
    boolean isHeld();

    /** Appends one surface event. */
    Appended append(SurfacePayload payload, SurfaceIntent intent);

    /** Appends one log-only event. */
    Appended append(LogOnlyPayload payload);

    /**
     * Appends a batch; {@link AppendEvents} has all that can be said.
     *
     * @throws IllegalArgumentException if it is for another session
     */
    Appended append(AppendEvents command);

    /** Appends all events or none. */
    Appended appendAll(List<EventDraft> batch);

    /** As {@link SessionCommands#appendAll(SessionId, LongFunction)}. */
    Appended appendAll(LongFunction<List<EventDraft>> batch);

    /** As {@link #append(SurfacePayload, SurfaceIntent)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAsync(SurfacePayload payload, SurfaceIntent intent);

    /** As {@link #append(LogOnlyPayload)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAsync(LogOnlyPayload payload);

    /** As {@link #append(AppendEvents)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAsync(AppendEvents command);

    /** As {@link #appendAll(List)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAllAsync(List<EventDraft> batch);

    /** As {@link #appendAll(LongFunction)}, without waiting for the commit. */
    CompletableFuture<Appended> appendAllAsync(LongFunction<List<EventDraft>> batch);

    /**
     * Waits for what was appended here and lets go of the lease, so that the next driver gets it at once; nothing if it was
     * closed or lost before. Where the store cannot be written, the lease expires by itself, and a warning is logged. Closing
     * the commands does the same. It ends no turn: what is open then is closed by the next driver.
     */
    @Override
    void close();
}
