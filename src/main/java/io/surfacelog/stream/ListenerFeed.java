package io.surfacelog.stream;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoredCommit;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers commits to one listener, in order, on one thread. */
final class ListenerFeed {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerFeed.class);
    private static final int CATCH_UP_COMMITS = 100;
    private static final long END_MILLIS = 5_000;

    private final SessionEventListener listener;
    private final EventStore store;
    private final int bufferSize;
    private final ArrayDeque<CommittedEvents> buffer = new ArrayDeque<>();
    private final Thread thread;
    private long delivered;
    private long before;
    private long missedTo;
    private boolean finishing;

    ListenerFeed(SessionEventListener listener, EventStore store, long from, int bufferSize) {
        this.listener = listener;
        this.store = store;
        this.delivered = from;
        this.bufferSize = bufferSize;
        this.thread = new Thread(
                this::run, "surfacelog-listener-" + listener.getClass().getSimpleName());
        thread.setDaemon(true);
    }

    /** Starts with what the store holds up to this position, then goes on with what was offered. */
    void start(long missed) {
        synchronized (this) {
            before = missed;
        }
        thread.start();
    }

    synchronized void offer(CommittedEvents committed) {
        if (missedTo > 0 || buffer.size() >= bufferSize) {
            missedTo = committed.position();
        } else {
            buffer.add(committed);
        }
        notifyAll();
    }

    synchronized void finish() {
        finishing = true;
        notifyAll();
    }

    void awaitEnd() {
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }

    private void run() {
        try {
            catchUp(before);
            for (CommittedEvents next = next(); next != null; next = next()) {
                deliver(next);
            }
        } catch (InterruptedException e) {
            LOG.debug("the listener {} was stopped before it had heard of all commits", listener);
        }
    }

    /** The next commit, null at the end; after a gap, those in the gap are delivered from the store first. */
    private @Nullable CommittedEvents next() throws InterruptedException {
        while (true) {
            long to;
            synchronized (this) {
                while (buffer.isEmpty() && missedTo == 0 && !finishing) {
                    wait();
                }
                CommittedEvents first = buffer.poll();
                if (first != null || missedTo == 0) {
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

    private void catchUp(long to) {
        while (delivered < to) {
            try {
                List<StoredCommit> commits = store.commits(delivered, CATCH_UP_COMMITS);
                if (commits.isEmpty()) {
                    return;
                }
                for (StoredCommit commit : commits) {
                    if (commit.position() > to) {
                        return;
                    }
                    if (commit.to() > commit.from()) {
                        deliver(new CommittedEvents(
                                commit.session(),
                                commit.position(),
                                store.events(commit.session(), EventRange.of(commit.from(), commit.to()))));
                    }
                    delivered = commit.position();
                }
            } catch (StoreException e) {
                LOG.error(
                        "the listener {} could not be told of the commits from {} to {}: they cannot be read",
                        listener,
                        delivered + 1,
                        to,
                        e);
                delivered = to;
            }
        }
    }

    private void deliver(CommittedEvents committed) {
        if (committed.position() <= delivered) {
            return; // read from the store already
        }
        for (SessionEvent event : committed.events()) {
            try {
                listener.onEvent(new SessionEventCommitted(committed.session(), committed.position(), event));
            } catch (RuntimeException e) {
                // contained: neither the append nor another listener may suffer
                LOG.error(
                        "the listener {} failed on event {} of session {} ({}); it gets the next one",
                        listener,
                        event.seq(),
                        committed.session(),
                        event.type(),
                        e);
            }
        }
        delivered = committed.position();
    }
}
