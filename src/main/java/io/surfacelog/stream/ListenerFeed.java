package io.surfacelog.stream;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoredCommit;
import io.surfacelog.store.UnknownSessionException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers commits to one listener, in order, on one thread at a time. */
final class ListenerFeed implements Courier.Recipient {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerFeed.class);
    private static final int CATCH_UP_COMMITS = 100;
    private static final int CATCH_UP_EVENTS = 1_000;
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private final SessionEventListener listener;
    private final EventStore store;
    private final int bufferSize;
    private final ListenerThreads threads;
    private final ArrayDeque<CommittedEvents> buffer = new ArrayDeque<>();

    /** Position of the last commit that was told. Used by the thread that serves this feed only. */
    private long delivered;

    private long before;
    private long missedTo;
    private boolean started;
    private boolean finishing;

    /** Whether a thread serves it or is about to. */
    private boolean served;

    private @Nullable Thread server;
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean stopped;

    ListenerFeed(SessionEventListener listener, EventStore store, ListenerThreads threads, long from, int bufferSize) {
        this.listener = listener;
        this.store = store;
        this.threads = threads;
        this.delivered = from;
        this.bufferSize = bufferSize;
    }

    /** Starts with what the store holds up to this position, then goes on with what was offered. */
    synchronized void start(long missed) {
        before = missed;
        started = true;
        served = true;
        threads.serve(this);
    }

    /** Waits for nothing: a listener is woken now and then, not by each commit. */
    @Override
    public synchronized boolean commit(CommittedEvents committed) {
        if (committed.events().isEmpty()) {
            return false;
        }
        if (missedTo > 0 || buffer.size() >= bufferSize) {
            missedTo = committed.position();
        } else {
            buffer.add(committed);
        }
        return false;
    }

    /** What is still buffered comes first; what the store holds up to this position, after it. */
    @Override
    public synchronized void stored(long position) {
        missedTo = Math.max(missedTo, position);
    }

    @Override
    public synchronized boolean wake() {
        if (started && !served && (!buffer.isEmpty() || missedTo > 0)) {
            served = true;
            threads.serve(this);
        }
        return false;
    }

    /** How many events the listener has failed on. */
    long failures() {
        return failures.get();
    }

    /** Nothing is committed any more: what it has not heard of is the rest. */
    synchronized void finish() {
        finishing = true;
        notifyAll();
        wake();
    }

    /** Waits for the end until this time of {@link System#nanoTime()}, then stops at the next event. */
    synchronized void awaitEnd(long deadline) {
        if (Thread.currentThread() == server) {
            return; // the listener itself closes: it ends when it has heard the rest
        }
        try {
            for (long left = deadline - System.nanoTime(); served && left > 0; left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stopped = true;
        if (server != null) {
            server.interrupt();
        }
    }

    /** Tells the listener all there is to tell. Called by one thread at a time, once for each time it was asked for. */
    void serve() {
        begin();
        try {
            catchUp(before);
            for (CommittedEvents next = next(); next != null; next = next()) {
                if (next.position() > delivered) { // else it was read from the store already
                    deliver(next.session(), next.position(), next.events());
                    delivered = next.position();
                }
            }
        } catch (Throwable e) {
            LOG.error(
                    "the listener {} was not told of all after commit {}; it gets the next one",
                    listener,
                    delivered,
                    e);
            end();
        }
    }

    private synchronized void begin() {
        server = Thread.currentThread();
    }

    /** From here on another thread may serve it. */
    private synchronized void end() {
        served = false;
        server = null;
        notifyAll();
        if (Thread.interrupted()) {
            LOG.debug("the thread that told {} is not to stop for others", listener);
        }
        if (stopped) {
            LOG.warn("the listener {} was stopped before it had heard of all commits", listener);
        }
    }

    /** The next commit; null at the end. After a gap, those in the gap are delivered from the store first. */
    private @Nullable CommittedEvents next() {
        while (true) {
            long to;
            synchronized (this) {
                CommittedEvents first = stopped ? null : buffer.poll();
                if (first == null && (stopped || missedTo == 0)) {
                    end();
                }
                if (first != null || stopped || missedTo == 0) {
                    return first;
                }
                to = missedTo;
            }
            catchUp(to);
            synchronized (this) {
                if (missedTo == to) {
                    missedTo = 0;
                }
            }
        }
    }

    /** Waits to be notified. What ends a feed is a flag: an interrupt may be one the listener has left behind. */
    @SuppressWarnings("WaitNotInLoop") // both callers loop
    private void await(long millis) {
        try {
            wait(millis);
        } catch (InterruptedException e) {
            LOG.trace("interrupted", e);
        }
    }

    private void catchUp(long to) {
        while (delivered < to && !stopped) {
            List<StoredCommit> commits = commitsAfterDelivered(to);
            for (StoredCommit commit : commits) {
                if (commit.position() > to || stopped) {
                    return;
                }
                deliverStored(commit);
                delivered = commit.position();
            }
            if (commits.isEmpty()) {
                delivered = to;
            }
        }
    }

    private List<StoredCommit> commitsAfterDelivered(long to) {
        try {
            return patiently(() -> store.commits(delivered, CATCH_UP_COMMITS));
        } catch (Throwable e) {
            LOG.error(
                    "the listener {} could not be told of the commits from {} to {}: they cannot be read",
                    listener,
                    delivered + 1,
                    to,
                    e);
            return List.of();
        }
    }

    private void deliverStored(StoredCommit commit) {
        long from = commit.from();
        try {
            while (from < commit.to() && !stopped) {
                EventRange range = EventRange.of(from, commit.to()).limit(CATCH_UP_EVENTS);
                List<SessionEvent> events = patiently(() -> store.events(commit.session(), range));
                if (events.isEmpty()) {
                    return;
                }
                deliver(commit.session(), commit.position(), events);
                from += events.size();
            }
        } catch (UnknownSessionException e) {
            LOG.debug("session {} was removed before {} was told of all its events", commit.session(), listener, e);
        } catch (Throwable e) {
            LOG.error(
                    "the listener {} could not be told of the events {} to {} of session {}: they cannot be read",
                    listener,
                    from,
                    commit.to() - 1,
                    commit.session(),
                    e);
        }
    }

    /** Reads again until the store can be read: one that is locked for a while must cost no listener an event. */
    private <T> T patiently(Supplier<T> read) {
        for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS)) {
            try {
                return read.get();
            } catch (StoreUnavailableException e) {
                if (e.reason() == StoreUnavailableException.Reason.CLOSED || !pause(pause)) {
                    throw e;
                }
                LOG.warn("the listener {} waits for the store: {}", listener, e.getMessage());
            }
        }
    }

    /** Returns false if the feed is to end. */
    private synchronized boolean pause(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis;
                left > 0 && !finishing;
                left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())) {
            await(left);
        }
        return !finishing;
    }

    private void tellFailure(SessionId session, SessionEvent event, Throwable failure) {
        try {
            LOG.error(
                    "the listener {} failed on event {} of session {} ({}); it gets the next one",
                    listener,
                    event.seq(),
                    session,
                    event.type(),
                    failure);
        } catch (Throwable unprintable) {
            LOG.error(
                    "the listener {} failed on event {} of session {} ({}) with a {} that cannot be printed; it gets the next"
                            + " one",
                    listener,
                    event.seq(),
                    session,
                    event.type(),
                    failure.getClass().getName());
        }
    }

    private void deliver(SessionId session, long position, List<SessionEvent> events) {
        for (SessionEvent event : events) {
            if (stopped) {
                return;
            }
            try {
                listener.onEvent(new SessionEventCommitted(session, position, event));
            } catch (Throwable e) {
                failures.incrementAndGet();
                // contained, whatever it is: neither the append nor another listener nor the next event may suffer
                tellFailure(session, event, e);
            }
            if (!stopped && Thread.interrupted()) {
                LOG.debug("the listener {} left its thread interrupted", listener);
            }
        }
    }
}
