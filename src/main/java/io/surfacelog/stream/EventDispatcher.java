package io.surfacelog.stream;

import io.surfacelog.store.EventStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Hands committed events to the listeners, each with a bounded buffer of its own, and to subscriptions. A listener that
 * falls further behind than its buffer reads on from the store, so that the writer never waits and nothing is skipped; one
 * that holds up its thread for some milliseconds leaves the others to another thread.
 *
 * <p>{@link #dispatch} and {@link #catchUpTo} are called by the committing thread in commit order and never block.
 */
public final class EventDispatcher implements AutoCloseable {

    private static final long END_SECONDS = 5;

    private final EventStore store;
    private final int bufferSize;
    private final long from;
    private final Courier courier = new Courier(new Everybody());
    private final ListenerThreads threads = new ListenerThreads();
    private volatile List<Courier.Recipient> recipients = List.of();
    private List<ListenerFeed> feeds = List.of();
    private boolean started;
    private boolean carrying;
    private boolean closed;

    /**
     * A dispatcher whose listeners will hear of every commit from now on.
     *
     * @param bufferSize commits a listener may be behind before it reads from the store, from 1
     */
    public EventDispatcher(EventStore store, int bufferSize) {
        if (bufferSize < 1) {
            throw new IllegalArgumentException("expected a buffer of at least 1 commit, found " + bufferSize);
        }
        this.store = store;
        this.bufferSize = bufferSize;
        this.from = store.lastPosition();
    }

    /** Tells all there are, in the order they came. */
    private final class Everybody implements Courier.Recipient {

        @Override
        public boolean commit(CommittedEvents commit) {
            boolean awaited = false;
            for (Courier.Recipient recipient : recipients) {
                awaited |= recipient.commit(commit);
            }
            return awaited;
        }

        @Override
        public void stored(long position) {
            for (Courier.Recipient recipient : recipients) {
                recipient.stored(position);
            }
        }

        @Override
        public boolean wake() {
            boolean again = false;
            for (Courier.Recipient recipient : recipients) {
                again |= recipient.wake();
            }
            again |= threads.look(); // after those it has just been given
            return again;
        }
    }

    /**
     * Starts to tell the listeners. Called once; they may be made later than the dispatcher, and so may depend on what
     * commits through it.
     */
    public synchronized void start(List<SessionEventListener> listeners) {
        if (started || closed) {
            throw new IllegalStateException("the dispatcher has been " + (closed ? "closed" : "started"));
        }
        started = true;
        feeds = listeners.stream()
                .map(listener -> new ListenerFeed(listener, store, threads, from, bufferSize))
                .toList();
        // first take in what is committed from here on, then look what was committed before
        feeds.forEach(this::join);
        long missed = store.lastPosition();
        feeds.forEach(feed -> feed.start(missed));
        courier.ask();
    }

    /** From now on it is told of every commit; of one that was made before, it is not. */
    synchronized void join(Courier.Recipient recipient) {
        if (closed) {
            return; // there will be no more commits
        }
        if (!carrying) {
            carrying = true;
            courier.start();
        }
        List<Courier.Recipient> joined = new ArrayList<>(recipients);
        joined.add(recipient);
        recipients = List.copyOf(joined);
    }

    synchronized void leave(Courier.Recipient recipient) {
        List<Courier.Recipient> left = new ArrayList<>(recipients);
        left.remove(recipient);
        recipients = List.copyOf(left);
    }

    /** How delivery goes. Cost: O(listeners). */
    public synchronized DispatcherStats stats() {
        return new DispatcherStats(
                feeds.size(), feeds.stream().mapToLong(ListenerFeed::failures).sum());
    }

    /** Takes over one commit. Cost: O(1), however many are to be told; never blocks. */
    public void dispatch(CommittedEvents committed) {
        if (!recipients.isEmpty()) {
            courier.take(committed);
        }
    }

    /**
     * Has all read from the store what they have not heard of up to this position: for commits whose events are not handed
     * over, since they are too many or the answer to the commit was lost. Cost: O(1), however many are to be told; never
     * blocks.
     */
    public void catchUpTo(long position) {
        if (!recipients.isEmpty()) {
            courier.takeStored(position);
        }
    }

    /** Lets the listeners finish what they are behind, for at most five seconds in all, and stops their threads. */
    @Override
    public void close() {
        List<ListenerFeed> running;
        boolean toFinish;
        synchronized (this) {
            closed = true;
            running = feeds;
            toFinish = carrying;
        }
        if (toFinish) {
            courier.finish(); // those it tells may be waiting to leave
        }
        synchronized (this) {
            recipients = List.of();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        threads.hurry();
        running.forEach(ListenerFeed::finish);
        running.forEach(feed -> feed.awaitEnd(deadline));
        threads.close();
    }
}
