package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.WriteOutcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
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
    private static final int WRITES_PER_COMMIT = 1_024;
    private static final int EVENTS_PER_COMMIT = 16_384;

    private final EventStore store;
    private final CommitOutcomes outcomes;
    private final CommitPublication publication;
    private final QueueRoom room;
    private final CommitWatch watch;

    /** The queued writes of each lane, in order; lanes take turns. Its monitor guards it. */
    private final Map<SessionLane, Deque<PendingWrite>> queue = new LinkedHashMap<>();

    /** First come, first served: who was just answered does not overtake those who wait, so that all share the next commit. */
    private final ReentrantLock leading = new ReentrantLock(true);

    private final ExecutorService follower =
            Executors.newSingleThreadExecutor(AnswerThreads.daemons("surfacelog-commit"));
    private final AtomicBoolean called = new AtomicBoolean();
    private volatile boolean closed;

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
        synchronized (queue) {
            if (closed) {
                throw isClosed(write.lane().id);
            }
            enqueue(write);
        }
    }

    static StoreUnavailableException isClosed(SessionId id) {
        return new StoreUnavailableException(
                StoreUnavailableException.Reason.CLOSED,
                "session \"" + id + "\" cannot be written: Surfacelog is shutting down");
    }

    boolean isClosed() {
        return closed;
    }

    private void enqueue(PendingWrite write) {
        queue.computeIfAbsent(write.lane(), lane -> new ArrayDeque<>()).add(write);
    }

    /** Takes all queued writes of a lane back out, in order. */
    List<PendingWrite> takeBack(SessionLane lane) {
        synchronized (queue) {
            Deque<PendingWrite> taken = queue.remove(lane);
            return taken == null ? List.of() : List.copyOf(taken);
        }
    }

    /** Puts a planned-again write back; it was let in before. Whoever leads now may leave without it. */
    void putBack(PendingWrite write) {
        synchronized (queue) {
            enqueue(write);
        }
        commitSoon();
    }

    /**
     * Does a piece of writing that has a transaction of its own, in the order of commits. Nobody else in this process writes
     * meanwhile.
     */
    <T> T alone(SessionId id, Supplier<T> work) {
        boolean interrupted = false;
        leading.lock();
        try {
            // as in lead(): an interrupt is for after it
            interrupted = Thread.interrupted();
            synchronized (queue) {
                if (closed) {
                    throw isClosed(id);
                }
            }
            return work.get();
        } finally {
            leading.unlock();
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
        return leading.isHeldByCurrentThread();
    }

    /** Leads commits until the future is done, or until nothing is left to commit: then another leader answers it. */
    void commitUntil(CompletableFuture<?> future) {
        boolean left = true;
        while (left && !future.isDone()) {
            left = lead(future);
        }
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
        leading.lockInterruptibly();
        return leadOnce(null);
    }

    private void commitAll() {
        called.set(false);
        boolean left = true;
        while (left) {
            left = lead(null);
        }
    }

    /**
     * Leads one commit, unless this future is done by then.
     *
     * @return whether there may be more to do; if not, every write let in before is settled or being answered
     */
    private boolean lead(@Nullable CompletableFuture<?> future) {
        leading.lock();
        return leadOnce(future);
    }

    /** The caller has the lead, and has passed it on when this returns. */
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
            left = !isEmpty();
        } finally {
            // those who wait for the lead find themselves answered when they have it, and do not commit the little that
            // came since
            answers.give();
            leading.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return left;
    }

    private boolean isEmpty() {
        synchronized (queue) {
            return queue.isEmpty();
        }
    }

    private void commitNext(Answers answers) {
        List<StagedRun> runs = takeNext();
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
        synchronized (queue) {
            return queue.values().stream().mapToInt(Deque::size).sum();
        }
    }

    /** Takes one run of each lane, as far as a commit has room; lanes with more to come go to the end. */
    private List<StagedRun> takeNext() {
        List<StagedRun> runs = new ArrayList<>();
        synchronized (queue) {
            int writes = 0;
            long events = 0;
            for (SessionLane lane : List.copyOf(queue.keySet())) {
                if (writes >= WRITES_PER_COMMIT || events >= EVENTS_PER_COMMIT) {
                    break;
                }
                Deque<PendingWrite> waiting = queue.remove(lane);
                if (waiting == null) {
                    continue;
                }
                List<PendingWrite> run = new ArrayList<>();
                do {
                    PendingWrite write = waiting.remove();
                    run.add(write);
                    events += write.change().events().size();
                } while (!waiting.isEmpty()
                        && StagedRun.mayContinue(run.get(0), waiting.element())
                        && writes + run.size() < WRITES_PER_COMMIT
                        && events < EVENTS_PER_COMMIT);
                writes += run.size();
                runs.add(new StagedRun(lane, run));
                if (!waiting.isEmpty()) {
                    queue.put(lane, waiting);
                }
            }
        }
        return runs;
    }

    /** Lets in no more writes, commits those that were let in, and stops. */
    @Override
    public void close() {
        synchronized (queue) {
            closed = true;
        }
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
