package io.surfacelog.stream;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Renews the holds on durable subscriptions after each third of their time, whatever their listeners do meanwhile. */
final class HoldRenewal implements AutoCloseable {

    private final Set<DurableDelivery> held = ConcurrentHashMap.newKeySet();
    private final Duration hold;
    private @Nullable ScheduledThreadPoolExecutor clock;

    HoldRenewal(Duration hold) {
        this.hold = hold;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the clock, and a renewal keeps its failures to itself
    synchronized void add(DurableDelivery delivery) {
        held.add(delivery);
        if (clock == null) {
            clock = new ScheduledThreadPoolExecutor(1, task -> {
                Thread thread = new Thread(task, "surfacelog-hold");
                thread.setDaemon(true);
                return thread;
            });
            long third = Math.max(1, hold.toMillis() / 3);
            clock.scheduleWithFixedDelay(this::renew, third, third, TimeUnit.MILLISECONDS);
        }
    }

    void remove(DurableDelivery delivery) {
        held.remove(delivery);
    }

    private void renew() {
        held.forEach(DurableDelivery::renew);
    }

    @Override
    public synchronized void close() {
        if (clock != null) {
            clock.shutdownNow();
            clock = null;
        }
    }
}
