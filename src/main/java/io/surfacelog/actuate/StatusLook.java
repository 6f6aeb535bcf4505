package io.surfacelog.actuate;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreStatus;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the store on a thread of its own, so that nobody waits longer for it than a bounded time. Who asks while a look
 * is under way gets its answer: a store that hangs holds one thread, however often health is asked for.
 */
final class StatusLook implements AutoCloseable {

    private final EventStore store;
    private final Duration timeout;
    private final Clock clock;
    private final ThreadPoolExecutor thread = daemon();
    private @Nullable CompletableFuture<StoreStatus> underWay;

    StatusLook(EventStore store, Duration timeout, Clock clock) {
        this.store = store;
        this.timeout = timeout;
        this.clock = clock;
    }

    private static ThreadPoolExecutor daemon() {
        ThreadPoolExecutor daemon =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "surfacelog-health");
                    thread.setDaemon(true);
                    return thread;
                });
        daemon.allowCoreThreadTimeOut(true);
        return daemon;
    }

    /** How the store is. Throws what the look threw, and what says so where it takes too long. */
    StoreStatus get() {
        try {
            return look().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw unanswered("the store has not answered within " + timeout, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unanswered("the look at the store was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("the look at the store failed: " + e.getCause(), e);
        }
    }

    private static StoreUnavailableException unanswered(String what, Exception why) {
        return new StoreUnavailableException(
                Reason.IO, what + "; look at its disk and at what else runs on this machine", why);
    }

    private synchronized CompletableFuture<StoreStatus> look() {
        CompletableFuture<StoreStatus> look = underWay;
        if (look == null || look.isDone()) {
            look = CompletableFuture.supplyAsync(() -> store.status(clock.millis()), thread);
            underWay = look;
        }
        return look;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
