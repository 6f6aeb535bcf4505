package io.surfacelog.command;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that give answers, in the order in which they are handed in, as few as it takes: one answers, and one watches
 * it. Where answers wait and none has been begun for {@value #STALL_MILLIS} ms, those that answer are stuck in what the
 * application has hung on a future; then the watcher answers too, and another thread watches. So nothing a continuation
 * does holds up another one for ever, and twenty thousand quick answers take two threads.
 *
 * <p>A fork-join pool does not do here: it makes up for a thread that waits for a future, but not for one that waits for
 * anything else. Threads without work end after {@value #IDLE_SECONDS} s. Safe for use by several threads.
 */
final class AnswerThreads implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerThreads.class);
    private static final long STALL_MILLIS = 10;
    private static final long IDLE_SECONDS = 10;

    private final ThreadFactory making;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int threads;
    private int answering;

    /** How many threads may answer at a time: one more than are stuck. */
    private int allowed = 1;

    /** When the last answer was begun, as {@link System#nanoTime()} tells it. */
    private long begun;

    private boolean closed;

    AnswerThreads(ThreadFactory making) {
        this.making = making;
    }

    /**
     * Daemon threads for what is the application's: they have the context class loader of the thread that asks for the
     * factory, and nothing else of it, nor of the threads that happen to need them.
     */
    static ThreadFactory daemons(String name) {
        ClassLoader asked = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = asked != null ? asked : AnswerThreads.class.getClassLoader();
        return work -> {
            Thread thread = new Thread(null, work, name, 0, false);
            thread.setContextClassLoader(loader);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Has the answer given by a thread of its own; by the calling one only where there is none and none can be made. That one
     * may hold the lead of commits: others commit when it is through, and what the answer itself appends is refused.
     */
    @Override
    public void execute(Runnable answer) {
        lock.lock();
        try {
            if (!closed && (answering < threads || start())) {
                waiting.add(answer);
                changed.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        give(answer);
    }

    /** Returns whether another thread is on its way; the caller has the lock. */
    private boolean start() {
        threads++;
        try {
            making.newThread(this::run).start();
            return true;
        } catch (Throwable e) {
            // out of threads or memory: what was asked for is done by those that are there
            threads--;
            LOG.warn("no thread could be started to answer appends; {} are at it", answering, e);
            return false;
        }
    }

    private void run() {
        for (Runnable answer = next(); answer != null; answer = next()) {
            give(answer);
            if (Thread.interrupted()) {
                LOG.debug("an answer left its thread interrupted");
            }
            lock.lock();
            try {
                answering--;
                allowed = Math.min(allowed, answering + 1);
            } finally {
                lock.unlock();
            }
        }
    }

    /** The next answer to give, null if this thread is needed no longer. */
    private @Nullable Runnable next() {
        lock.lock();
        try {
            while (true) {
                if (waiting.isEmpty()) {
                    if (closed || (!await(TimeUnit.SECONDS.toNanos(IDLE_SECONDS)) && waiting.isEmpty())) {
                        threads--;
                        return null;
                    }
                    continue;
                }
                if (answering < allowed) {
                    return begin();
                }
                long left = begun + TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS) - System.nanoTime();
                if (left > 0) {
                    await(left);
                } else {
                    allowed = answering + 1;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private Runnable begin() {
        begun = System.nanoTime();
        answering++;
        Runnable answer = waiting.remove();
        if (answering == threads) {
            start(); // to watch this one
        }
        return answer;
    }

    /** Waits to be signalled; returns false if nobody did in time. */
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    private boolean await(long nanos) {
        try {
            return changed.awaitNanos(nanos) > 0;
        } catch (InterruptedException e) {
            LOG.trace("interrupted", e);
            return true;
        }
    }

    private static void give(Runnable answer) {
        try {
            answer.run();
        } catch (Throwable e) {
            LOG.error("an answer could not be given", e);
        }
    }

    /** Answers handed in before are still given; the threads end then. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
