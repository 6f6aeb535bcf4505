package io.surfacelog.testing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs what may wait beside a test, each on a thread of its own. The common pool has one thread on a small machine: there two
 * that wait for one another wait for ever.
 */
public final class Aside {

    private static final Executor EACH = task -> {
        Thread thread = new Thread(task, "aside");
        thread.setDaemon(true);
        thread.start();
    };

    private Aside() {}

    public static CompletableFuture<Void> run(Runnable action) {
        return CompletableFuture.runAsync(action, EACH);
    }

    public static <T> CompletableFuture<T> supply(Supplier<T> action) {
        return CompletableFuture.supplyAsync(action, EACH);
    }
}
