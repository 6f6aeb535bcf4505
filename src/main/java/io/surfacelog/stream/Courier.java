package io.surfacelog.stream;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries commits from the committing thread to a thread that tells everybody else, so that a commit costs the committing
 * thread one hand-over, however many there are to be told.
 *
 * <p>To wake a thread costs more than to hand it something. So this one stays awake for a moment after a commit and looks
 * for the next: while commits follow each other closely, nobody has to wake it. It looks often only while somebody waits
 * for each of them; else, and for those who are woken at most once in a moment, it looks that often.
 */
final class Courier {

    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

    /** Behind so many the rest is read from the store. */
    private static final int MOST = 4_096;

    /** For so long it looks for more after a commit. */
    private static final long AWAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    /** So long it rests between two looks while a commit is awaited: well below what one takes. */
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /** Between two calls of {@link Recipient#wake} there is at least so much time; less than it stays awake. */
    private static final long WAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Whom it tells; called by its thread only, and never to block. */
    interface Recipient {
        /** Returns whether somebody waited for this, and so will for the next. */
        boolean commit(CommittedEvents commit);

        /** All up to this position is in the store. */
        void stored(long position);

        /**
         * After one or more calls of the others: at once where it was quiet before, else after up to two milliseconds. For
         * what costs too much to be done for each commit. Returns whether to call it again in as much, commits or not.
         */
        default boolean wake() {
            return false;
        }
    }

    private enum Told {
        NOTHING,
        NEWS,
        /** What somebody waited for. */
        AWAITED
    }

    private final Recipient recipient;
    private final LongSupplier clock;
    private final ConcurrentLinkedQueue<CommittedEvents> carried = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong storedTo = new AtomicLong();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final Thread thread;
    private volatile boolean asked;
    private volatile boolean finishing;

    Courier(Recipient recipient) {
        this(recipient, System::nanoTime);
    }

    /** With a clock that counts nanoseconds. */
    Courier(Recipient recipient, LongSupplier clock) {
        this.recipient = recipient;
        this.clock = clock;
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

    /** Has {@link Recipient#wake} called within two milliseconds. */
    void ask() {
        asked = true;
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
        long told = clock.getAsLong();
        long awaited = told - AWAKE_NANOS;
        long woken = told - WAKE_NANOS;
        boolean toWake = false;
        while (true) {
            Told next = tellNext();
            boolean news = next != Told.NOTHING;
            if (news) {
                told = clock.getAsLong();
                awaited = next == Told.AWAITED ? told : awaited;
            }
            toWake |= news || asked;
            boolean ends = !news && finishing;
            if (toWake && (ends || clock.getAsLong() - woken >= WAKE_NANOS)) {
                woken = clock.getAsLong();
                asked = false;
                toWake = contained(recipient::wake);
            }
            if (ends) {
                return;
            }
            long now = clock.getAsLong();
            if (!news && (toWake || now - told < AWAKE_NANOS)) {
                // however long this thread was kept from running: nobody else wakes those who were told
                LockSupport.parkNanos(this, now - awaited < AWAKE_NANOS ? LOOK_NANOS : WAKE_NANOS);
            } else if (!news) {
                sleep();
            }
        }
    }

    private Told tellNext() {
        CommittedEvents next = carried.poll();
        if (next != null) {
            size.decrementAndGet();
            return tell(next) ? Told.AWAITED : Told.NEWS;
        } else if (storedTo.get() > 0) {
            tellStored();
            return Told.AWAITED;
        }
        return Told.NOTHING;
    }

    /** What was carried before it comes first, also what came while this looked. */
    private void tellStored() {
        long position = storedTo.get();
        for (CommittedEvents before = carried.poll(); before != null; before = carried.poll()) {
            size.decrementAndGet();
            tell(before);
        }
        contained(() -> {
            recipient.stored(position);
            return true;
        });
        storedTo.compareAndSet(position, 0);
    }

    private boolean tell(CommittedEvents commit) {
        return contained(() -> recipient.commit(commit));
    }

    private static boolean contained(BooleanSupplier telling) {
        try {
            return telling.getAsBoolean();
        } catch (Throwable e) {
            LOG.error("a commit could not be handed on; whoever missed it reads it with the next from the store", e);
            return false;
        }
    }

    private void sleep() {
        asleep.set(true);
        while (asleep.get() && carried.isEmpty() && storedTo.get() == 0 && !finishing && !asked) {
            LockSupport.park(this);
        }
        asleep.set(false);
    }
}
