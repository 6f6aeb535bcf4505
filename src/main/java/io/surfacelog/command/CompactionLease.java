package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The right to compact the surface of a session: one at a time has it, over all processes that have the store open. It tells
 * a compaction that is running from one that died, and it does not touch the driver's lease: a session is compacted within a
 * turn as well as outside of one.
 *
 * <pre>{@code
 * try (CompactionLease lease = commands.leaseCompaction(id)) {
 *     lease.appendAll(List.of(EventDraft.of(CompactionStart.of("c1", null))));
 *     // summarise
 *     lease.appendAll(List.of(EventDraft.of(CompactionEnd.of("c1", null, null))));
 * }
 * }</pre>
 *
 * <p>It is renewed by itself until it is closed, as long as this process lives. What is appended here is stored only while it
 * is held: once somebody else has taken it over, each append is refused with a {@link LeaseLostException} and stores nothing.
 * Others go on appending meanwhile, and nothing here overwrites what they append. All methods may be called by any thread.
 */
public interface CompactionLease extends AutoCloseable {

    /** The session it is for. */
    SessionId session();

    /** Its fencing token: greater than that of each compaction lease before it. */
    long token();

    /**
     * Whether it is held for all this process knows: not closed, not found to be lost, and renewed within its duration. Asks
     * nobody, so only a commit tells for sure. Cost: O(1).
     */
    boolean isHeld();

    /**
     * Appends all events or none; {@link SessionCommands#appendAll(SessionId, List)} has the refusals and the cost.
     *
     * @throws LeaseLostException if the lease is not held any more
     */
    Appended appendAll(List<EventDraft> batch);

    /** As {@link SessionCommands#appendAll(SessionId, LongFunction)}, with the same refusal. */
    Appended appendAll(LongFunction<List<EventDraft>> batch);

    /**
     * Lets go of the lease, so that the next compaction can begin at once; nothing if it was closed or lost before. It closes
     * no bracket.
     */
    @Override
    void close();
}
