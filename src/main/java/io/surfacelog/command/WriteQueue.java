package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.WriteOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits what all sessions have planned, many writes in one transaction. Whoever waits for a write and finds nobody
 * committing leads the next commit itself; for those who do not wait, a thread of the queue does.
 */
final class WriteQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WriteQueue.class);

    private final EventStore store;
    private final CommitOutcomes outcomes;
    private final CommitPublication publication;
    private final QueueRoom room;
    private final CommitWatch watch;

    private final QueuedWrites queue = new QueuedWrites();
    private final CommitLead lead = new CommitLead(() -> !queue.isEmpty());
    private final ExecutorService follower =
            Executors.newSingleThreadExecutor(AnswerThreads.daemons("surfacelog-commit"));
    private final AtomicBoolean called = new AtomicBoolean();

    WriteQueue(
            EventStore store,
            CommitOutcomes outcomes,
            CommitPublication publication,
            QueueRoom room,
            CommitWatch watch) {
        this.store = store;
        this.publication = publication;
        this.outcomes = outcomes;
        this.room = room;
        this.watch = watch;
    }

    /** Takes a planned write; the caller holds the monitor of its lane, so that a lane's writes stay in order. */
    void add(PendingWrite write) {
        if (!queue.add(write)) {
            throw isClosed(write.lane().id);
        }
    }

    static StoreUnavailableException isClosed(SessionId id) {
        return new StoreUnavailableException(
                StoreUnavailableException.Reason.CLOSED,
                "session \"" + id + "\" cannot be written: Surfacelog is shutting down");
    }

    boolean isClosed() {
        return queue.isClosed();
    }

    /** Takes all queued writes of a lane back out, in order. */
    List<PendingWrite> takeBack(SessionLane lane) {
        return queue.takeBack(lane);
    }

    /** Puts a planned-again write back; it was let in before. Whoever leads now may leave without it. */
    void putBack(PendingWrite write) {
        queue.putBack(write);
        commitSoon();
    }

    /**
     * Does a piece of writing that has a transaction of its own, in the order of commits. Nobody else in this process writes
     * meanwhile.
     */
    <T> T alone(SessionId id, Supplier<T> work) {
        boolean interrupted = false;
        lead.take();
        try {
            // as in lead(): an interrupt is for after it
            interrupted = Thread.interrupted();
            if (queue.isClosed()) {
                throw isClosed(id);
            }
            return work.get();
        } finally {
            lead.pass();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The same in the lane of the session, after committing what is staged there; what comes meanwhile waits. */
    <T> T aloneInSettledLane(SessionId id, SessionLanes lanes, Function<SessionLane, T> work) {
        Answers answers = new Answers();
        try {
            return alone(
                    id,
                    () -> lanes.in(id, lane -> {
                        while (!lane.isIdle()) {
                            commitNext(answers);
                        }
                        return work.apply(lane);
                    }));
        } finally {
            answers.give();
        }
    }

    /** Whether this thread is carrying out a commit. */
    boolean isLedByThisThread() {
        return lead.isMine();
    }

    /** Waits until the future is done, and leads commits as long as nobody else does. */
    void commitUntil(CompletableFuture<?> future) {
        lead.leadUntil(future, () -> leadOnce(future));
    }

    /** Sees to it that what is queued is committed soon, without waiting. */
    void commitSoon() {
        if (called.compareAndSet(false, true)) {
            try {
                follower.execute(this::commitAll);
            } catch (RejectedExecutionException e) {
                // closing: close() commits what is left
                called.set(false);
            } catch (Throwable e) {
                // no thread to be had: whoever writes next commits it too, or this one, if it can
                called.set(false);
                LOG.warn("no thread could be started to commit", e);
                if (!isLedByThisThread()) {
                    commitAll();
                }
            }
        }
    }

    /** Leads one commit; returns whether there may be more to commit. An interrupt ends the wait for the lead. */
    boolean commitOnce() throws InterruptedException {
        lead.takeInterruptibly();
        return leadOnce(null);
    }

    private void commitAll() {
        called.set(false);
        boolean left = true;
        while (left) {
            left = lead();
        }
    }

    /**
     * Leads one commit.
     *
     * @return whether there may be more to do; if not, every write let in before is settled and answered
     */
    private boolean lead() {
        lead.take();
        return leadOnce(null);
    }

    /** Commits once, unless this future is done by now. The caller has the lead, and has passed it on when this returns. */
    private boolean leadOnce(@Nullable CompletableFuture<?> future) {
        Answers answers = new Answers();
        boolean interrupted = false;
        boolean left;
        try {
            // the store must not take an interrupt of this thread for one of all whose writes it commits
            interrupted = Thread.interrupted();
            if (future == null || !future.isDone()) {
                commitNext(answers);
            }
            left = !queue.isEmpty();
        } finally {
            answers.give();
            lead.pass();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return left;
    }

    private void commitNext(Answers answers) {
        List<StagedRun> runs = queue.takeNext();
        if (runs.isEmpty()) {
            publication.tellOfTheRest();
            return;
        }
        try {
            outcomes.committed(runs, commit(runs), this, answers);
        } catch (Throwable e) {
            // whatever it is, checked exceptions of other languages among it, nobody may wait for ever
            outcomes.failed(runs, e, this, answers);
        }
    }

    private List<WriteOutcome> commit(List<StagedRun> runs) {
        watch.begins();
        List<WriteOutcome> results;
        try {
            results = store.commit(runs.stream().map(StagedRun::toStore).toList());
        } catch (Throwable e) {
            watch.fails(e);
            throw e;
        }
        watch.ends(runs, results);
        return results;
    }

    /** How many writes wait. Cost: O(sessions that are written to). */
    int size() {
        return queue.size();
    }

    /** Lets in no more writes, commits those that were let in, and stops. */
    @Override
    public void close() {
        queue.close();
        room.wake();
        commitAll();
        follower.shutdown();
    }

    /** Waits for the result, and throws what the future failed with. */
    static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }
}
