package io.surfacelog.command;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoreUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Commits what all sessions have planned, many writes in one transaction. Whoever waits for a write and finds nobody
 * committing leads the next commit itself; for those who do not wait, a thread of the queue does.
 */
final class WriteQueue implements AutoCloseable {

    private static final int WRITES_PER_COMMIT = 1_024;
    private static final int EVENTS_PER_COMMIT = 16_384;

    private final EventStore store;
    private final CommitOutcomes outcomes;
    private final Queue<PendingWrite> queue = new ArrayDeque<>();
    private final ReentrantLock leading = new ReentrantLock();
    private final ExecutorService follower = daemon("surfacelog-commit");
    private final AtomicBoolean called = new AtomicBoolean();
    private volatile boolean closed;

    WriteQueue(EventStore store, CommitOutcomes outcomes) {
        this.store = store;
        this.outcomes = outcomes;
    }

    private static ExecutorService daemon(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Takes a planned write; the caller holds the monitor of its lane, so that a lane's writes stay in order. */
    void add(PendingWrite write) {
        synchronized (queue) {
            if (closed) {
                throw new StoreUnavailableException(
                        StoreUnavailableException.Reason.CLOSED,
                        "session \"" + write.lane().id + "\" cannot be written: Surfacelog is shutting down");
            }
            queue.add(write);
        }
    }

    /** Takes all queued writes of a lane back out, in order. */
    List<PendingWrite> takeBack(SessionLane lane) {
        List<PendingWrite> taken = new ArrayList<>();
        synchronized (queue) {
            for (Iterator<PendingWrite> it = queue.iterator(); it.hasNext(); ) {
                PendingWrite write = it.next();
                if (write.lane() == lane) {
                    taken.add(write);
                    it.remove();
                }
            }
        }
        return taken;
    }

    /** Puts a planned-again write back; it was let in before. Whoever leads now may leave without it. */
    void putBack(PendingWrite write) {
        synchronized (queue) {
            queue.add(write);
        }
        commitSoon();
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
            }
        }
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
        Answers answers = new Answers();
        boolean interrupted = false;
        boolean left;
        leading.lock();
        try {
            // the store must not take an interrupt of this thread for one of all whose writes it commits
            interrupted = Thread.interrupted();
            if (future == null || !future.isDone()) {
                commitNext(answers);
            }
            left = !isEmpty();
        } finally {
            leading.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            answers.give();
        }
        return left;
    }

    private boolean isEmpty() {
        synchronized (queue) {
            return queue.isEmpty();
        }
    }

    private void commitNext(Answers answers) {
        List<PendingWrite> writes = takeNext();
        if (writes.isEmpty()) {
            return;
        }
        try {
            List<SessionWrite> toStore = new ArrayList<>(writes.size());
            writes.forEach(write -> toStore.add(write.toStore()));
            outcomes.committed(writes, store.commit(toStore), this, answers);
        } catch (RuntimeException | Error e) {
            // whatever it is, nobody may wait for ever
            outcomes.failed(writes, e, this, answers);
        }
    }

    private List<PendingWrite> takeNext() {
        List<PendingWrite> writes = new ArrayList<>();
        synchronized (queue) {
            long events = 0;
            while (!queue.isEmpty() && writes.size() < WRITES_PER_COMMIT && events < EVENTS_PER_COMMIT) {
                PendingWrite write = queue.remove();
                events += write.change().events().size();
                writes.add(write);
            }
        }
        return writes;
    }

    /** Lets in no more writes, commits those that were let in, and stops. */
    @Override
    public void close() {
        synchronized (queue) {
            closed = true;
        }
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
