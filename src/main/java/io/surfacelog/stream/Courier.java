package io.surfacelog.stream;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries commits from the committing thread to a thread that tells everybody else, so that a commit costs the committing
 * thread one hand-over and at most one wake-up, however many there are to be told.
 */
final class Courier {

    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

    /** Behind so many the rest is read from the store. */
    private static final int MOST = 4_096;

    /** Whom it tells; called by its thread only, and never to block. */
    interface Recipient {
        void commit(CommittedEvents commit);

        /** All up to this position is in the store. */
        void stored(long position);
    }

    private final Recipient recipient;
    private final ConcurrentLinkedQueue<CommittedEvents> carried = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong storedTo = new AtomicLong();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final Thread thread;
    private volatile boolean finishing;

    Courier(Recipient recipient) {
        this.recipient = recipient;
        this.thread = new Thread(this::run, "surfacelog-courier");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Called by one thread at a time, in commit order. */
    void take(CommittedEvents commit) {
        if (storedTo.get() > 0 || size.get() >= MOST) {
            takeStored(commit.position());
            return;
        }
        size.incrementAndGet();
        carried.add(commit);
        wake();
    }

    /** Comes after what is carried already. */
    void takeStored(long position) {
        storedTo.accumulateAndGet(position, Math::max);
        wake();
    }

    private void wake() {
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
    }

    /** Has everything told that was taken, and ends. */
    void finish() {
        finishing = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // it never blocks, so this is short
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (true) {
            CommittedEvents next = carried.poll();
            if (next != null) {
                size.decrementAndGet();
                tell(next, 0);
            } else if (storedTo.get() > 0) {
                tellStored();
            } else if (finishing) {
                return;
            } else {
                sleep();
            }
        }
    }

    /** What was carried before it comes first, also what came while this looked. */
    private void tellStored() {
        long position = storedTo.get();
        for (CommittedEvents before = carried.poll(); before != null; before = carried.poll()) {
            size.decrementAndGet();
            tell(before, 0);
        }
        tell(null, position);
        storedTo.compareAndSet(position, 0);
    }

    private void tell(@Nullable CommittedEvents commit, long position) {
        try {
            if (commit != null) {
                recipient.commit(commit);
            } else {
                recipient.stored(position);
            }
        } catch (Throwable e) {
            LOG.error("a commit could not be handed on; whoever missed it reads it with the next from the store", e);
        }
    }

    private void sleep() {
        asleep.set(true);
        while (asleep.get() && carried.isEmpty() && storedTo.get() == 0 && !finishing) {
            LockSupport.park(this);
        }
        asleep.set(false);
    }
}
