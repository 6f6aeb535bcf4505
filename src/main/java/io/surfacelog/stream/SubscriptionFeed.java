package io.surfacelog.stream;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.UnknownSessionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one subscription, on one thread: takes what is recent from memory and the rest from the store, as fast as it is
 * asked for. Whoever tells it of a commit only wakes it up, and only if it sleeps and the commit concerns it.
 */
final class SubscriptionFeed {

    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionFeed.class);
    private static final int RECENT_COMMITS = 64;
    private static final long AWAKE = -1;
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;

    private final @Nullable SessionId session;
    private final CommitReading reading;
    private final RecentCommits recent;
    private final Delivery delivery;
    private final Consumer<SubscriptionFeed> ended;
    private final boolean fromNow;
    private final int buffer;
    private final @Nullable Backlog backlog;
    private final Thread thread;
    private final AtomicLong demand = new AtomicLong();
    private final Deque<SessionEventCommitted> pending = new ArrayDeque<>();

    /** Up to where it has read while it sleeps, also where others have found since that nothing concerns it. */
    private final AtomicLong waitingAt = new AtomicLong(AWAKE);

    /** What it leaves out before this; 0 where it goes on with what was begun before. */
    private long firstSeq;

    private Cursor cursor;
    private volatile StreamPosition position;
    private volatile long begunPosition;

    /** Whether it has come to the end once: before that it is not slow, only late. */
    private volatile boolean live;

    private volatile boolean cancelled;
    private volatile boolean closing;
    private volatile boolean tooSlow;
    private volatile @Nullable RuntimeException broken;
    private volatile boolean started;

    SubscriptionFeed(
            StreamRequest request,
            int buffer,
            Cursor start,
            CommitReading reading,
            RecentCommits recent,
            Delivery delivery,
            Consumer<SubscriptionFeed> ended,
            String name) {
        this.session = request.session();
        this.reading = reading;
        this.recent = recent;
        this.delivery = delivery;
        this.ended = ended;
        this.firstSeq = request.start() instanceof StreamRequest.Start.FromSeq from ? from.seq() : 0;
        this.buffer = buffer;
        this.backlog = request.whenSlow() == WhenSlow.DISCONNECT ? new Backlog(buffer) : null;
        this.cursor = start;
        this.position = positionOf(start);
        this.begunPosition = start.whole();
        this.fromNow = request.start() instanceof StreamRequest.Start.Now;
        this.live = fromNow && !delivery.standsBy();
        this.thread = new Thread(this::run, "surfacelog-subscription-" + name);
        thread.setDaemon(true);
    }

    /** Where a subscription from a seq stands before its first event is of no use to another one: it begins anew. */
    private static StreamPosition positionOf(Cursor start) {
        return start.isWhole() || start.position() == 0
                ? StreamPosition.after(start.position())
                : StreamPosition.after(start.position(), start.seq());
    }

    /** May be called once, after {@link #cancel} too. */
    void start() {
        started = true;
        thread.start();
    }

    @Nullable
    SessionId session() {
        return session;
    }

    /** {@linkplain io.surfacelog.store.StoredSession#ordinal() Ordinal} of its session, 0 for all. */
    long ordinal() {
        return reading.ordinal();
    }

    /** Behind the last event that was delivered. */
    StreamPosition position() {
        return position;
    }

    boolean isOnItsThread() {
        return Thread.currentThread() == thread;
    }

    /** Asks for so many events more. */
    void request(long events) {
        demand.accumulateAndGet(events, (before, more) -> Math.addExact(Math.min(before, Long.MAX_VALUE - more), more));
        LockSupport.unpark(thread);
    }

    /** Ends it without another word to the subscriber. */
    void cancel() {
        cancelled = true;
        LockSupport.unpark(thread);
    }

    /** Ends it after the event that is being delivered. */
    void close() {
        closing = true;
        LockSupport.unpark(thread);
    }

    /** Ends it with a failure after the event that is being delivered. */
    void fail(RuntimeException failure) {
        broken = failure;
        LockSupport.unpark(thread);
    }

    boolean hasEnded() {
        return cancelled || closing || broken != null;
    }

    /** Waits for its end until this time of {@link System#nanoTime()}. Returns false if it has not come. */
    boolean awaitEnd(long deadline) {
        if (isOnItsThread() || !started) {
            return true;
        }
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /** For a subscriber that does not return. */
    void interrupt() {
        thread.interrupt();
    }

    /**
     * Tells it that a commit is durable. Called in the order of commits by one thread at a time; never blocks.
     *
     * @param committed the session it is of, null if that is not known
     * @return whether it waited for this
     */
    boolean offer(@Nullable SessionId committed, long at) {
        boolean concerns = committed == null || session == null || session.equals(committed);
        if (backlog != null && committed != null && concerns && live && backlog.add(at, begunPosition)) {
            tooSlow = true;
            LockSupport.unpark(thread);
        }
        long waits = waitingAt.get();
        if (waits == AWAKE || waits >= at) {
            return false;
        }
        if (!concerns && waits == at - 1 && waitingAt.compareAndSet(waits, at)) {
            return false;
        }
        boolean waited = waitingAt.getAndSet(AWAKE) != AWAKE;
        if (waited) {
            LockSupport.unpark(thread);
        }
        return waited;
    }

    private void run() {
        Throwable failure = null;
        try {
            Cursor begin = delivery.begin(cursor);
            live = fromNow && begin.equals(cursor);
            firstSeq = begin.equals(cursor) ? firstSeq : 0;
            cursor = begin;
            position = positionOf(cursor);
            begunPosition = cursor.whole();
            serve();
        } catch (InterruptedException e) {
            LOG.debug("interrupted before it began", e);
        } catch (Throwable e) {
            failure = e;
        }
        try {
            ended.accept(this);
            delivery.end(position, failure, cancelled);
        } catch (Throwable e) {
            LOG.error("the end of a subscription at {} failed", position, e);
        }
    }

    private void serve() {
        while (!cancelled && !closing) {
            RuntimeException why = broken;
            if (why != null) {
                throw why;
            }
            if (tooSlow) {
                throw new SubscriberTooSlowException(position, buffer);
            }
            long again = delivery.settle();
            if (demand.get() == 0) {
                park(again);
            } else if (pending.isEmpty() && !fill()) {
                awaitNews(again);
            } else if (!pending.isEmpty()) {
                deliver(pending.remove());
            }
        }
    }

    private void deliver(SessionEventCommitted event) {
        begunPosition = event.position();
        if (demand.get() != Long.MAX_VALUE) {
            demand.decrementAndGet();
        }
        try {
            if (!delivery.deliver(event)) {
                return;
            }
        } catch (StreamException e) {
            throw e;
        } catch (Throwable e) {
            throw new SubscriberFailedException(event, position, e);
        }
        position = event.streamPosition();
        clearInterrupt();
    }

    /** Takes what comes next; returns false if all that is known was taken before. */
    private boolean fill() {
        long known = recent.knownTo();
        if (cursor.whole() >= known) {
            live = true;
            return false;
        }
        List<CommittedEvents> commits = cursor.isWhole() ? recent.after(cursor.position(), RECENT_COMMITS) : null;
        List<SessionEventCommitted> next = commits == null ? fromStore(known) : fromMemory(commits);
        if (firstSeq > 0) {
            next = next.stream()
                    .filter(event -> event.event().seq() >= firstSeq)
                    .toList();
        }
        pending.addAll(next);
        if (!next.isEmpty()) {
            delivery.upcoming(next);
        }
        return true;
    }

    private List<SessionEventCommitted> fromMemory(List<CommittedEvents> commits) {
        List<SessionEventCommitted> next = new ArrayList<>();
        for (CommittedEvents commit : commits) {
            if (session == null || session.equals(commit.session())) {
                commit.events()
                        .forEach(event ->
                                next.add(new SessionEventCommitted(commit.session(), commit.position(), event)));
            }
            cursor = Cursor.after(commit.position());
        }
        return next;
    }

    /** Reads again until the store can be read: one that is locked for a while must cost no subscriber its place. */
    private List<SessionEventCommitted> fromStore(long known) {
        CommitReading.Page page = patiently(() -> reading.read(cursor, known));
        if (page == null) {
            return List.of();
        }
        cursor = page.end();
        return page.events();
    }

    /** Returns null if the subscription has ended meanwhile. */
    <T> @Nullable T patiently(Supplier<T> use) {
        for (long pause = FIRST_PAUSE_MILLIS; !hasEnded(); pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS)) {
            try {
                return use.get();
            } catch (StoreUnavailableException e) {
                if (e.reason() == StoreUnavailableException.Reason.CLOSED) {
                    throw e;
                }
                LOG.warn("a subscription at {} waits for the store: {}", position, e.getMessage());
                pause(pause);
            }
        }
        return null;
    }

    /** Sleeps for so long, but not beyond its end. */
    void pause(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = until - System.nanoTime(); left > 0 && !hasEnded(); left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            clearInterrupt();
        }
    }

    private void awaitNews(long nanos) {
        long from = cursor.whole();
        waitingAt.set(from);
        if (recent.knownTo() <= from) {
            long until = System.nanoTime() + nanos;
            while (waitingAt.get() != AWAKE && !hasEnded() && !tooSlow) {
                if (nanos == Long.MAX_VALUE) {
                    LockSupport.park(this);
                } else if (until - System.nanoTime() > 0) {
                    LockSupport.parkNanos(this, until - System.nanoTime());
                } else {
                    break;
                }
                clearInterrupt();
            }
        }
        long passed = waitingAt.getAndSet(AWAKE);
        if (passed > from) {
            cursor = Cursor.after(passed);
        }
    }

    private void park(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
        clearInterrupt();
    }

    /** What ends a subscription is a flag: an interrupt may be one that its subscriber has left behind. */
    private static void clearInterrupt() {
        if (Thread.interrupted()) {
            LOG.trace("interrupted");
        }
    }

    /** Ends it where its session was removed. */
    void sessionRemoved() {
        if (session != null) {
            fail(new UnknownSessionException(session));
        }
    }
}
