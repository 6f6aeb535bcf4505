package io.surfacelog.stream;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that tell listeners: one for all of them while none holds it up, and one more whenever those there are have
 * been held up for a moment while somebody waits. So ten listeners that do little cost one thread that wakes, and one that
 * blocks delays nobody else.
 */
final class ListenerThreads {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerThreads.class);

    /** So long a thread that is one too many waits for work. */
    private static final long SPARE_MILLIS = 1_000;

    private final Queue<ListenerFeed> waiting = new ArrayDeque<>();
    private int threads;
    private int named;
    private int idle;
    private long taken;
    private long takenAtLook;
    private boolean hurrying;
    private boolean closed;

    /** Has the feed served, once. */
    synchronized void serve(ListenerFeed feed) {
        waiting.add(feed);
        if (waiting.size() <= idle) {
            notify();
        } else if (threads == 0 || hurrying) {
            add();
        }
    }

    /**
     * Sees to it that who waits does not wait for long: to be called every few milliseconds.
     *
     * @return whether somebody waits, so that it has to be called again
     */
    synchronized boolean look() {
        if (!waiting.isEmpty() && idle == 0 && taken == takenAtLook) {
            add();
        }
        takenAtLook = taken;
        return !waiting.isEmpty();
    }

    /** From now on nobody waits for another one. */
    synchronized void hurry() {
        hurrying = true;
        for (int served = idle; served < waiting.size(); served++) {
            add();
        }
    }

    /** Ends each thread as soon as it has nothing to do. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void add() {
        Thread thread = new Thread(this::run, "surfacelog-listeners-" + ++named);
        thread.setDaemon(true);
        thread.start();
        threads++;
    }

    private void run() {
        for (ListenerFeed feed = next(); feed != null; feed = next()) {
            feed.serve();
        }
    }

    /** Null if the thread is to end. */
    private synchronized @Nullable ListenerFeed next() {
        boolean spare = false;
        while (waiting.isEmpty()) {
            if (closed || (spare && idle > 0)) {
                threads--;
                return null;
            }
            spare = threads > 1;
            await(spare ? SPARE_MILLIS : 0);
        }
        taken++;
        return waiting.poll();
    }

    @SuppressWarnings({"WaitNotInLoop", "GuardedBy"}) // its caller loops, and holds the monitor
    private void await(long millis) {
        idle++;
        try {
            wait(millis);
        } catch (InterruptedException e) {
            LOG.trace("interrupted", e);
        } finally {
            idle--;
        }
    }
}
