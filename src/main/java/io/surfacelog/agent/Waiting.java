package io.surfacelog.agent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How the loop waits for what runs on other threads. */
final class Waiting {

    private Waiting() {}

    /**
     * Waits for the result as long as there is time left, which may grow meanwhile.
     *
     * @param left nanoseconds that are left
     * @param late what it comes to when there are none
     * @throws RuntimeException what the result failed with
     */
    static <T> T in(CompletableFuture<T> result, LongSupplier left, Supplier<T> late) {
        while (true) {
            long nanos = left.getAsLong();
            if (nanos <= 0) {
                result.complete(late.get());
            }
            try {
                return result.get(Math.max(nanos, 1), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // there may be more time by now: the loop looks
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                // the registry closes with what hangs interrupted: there is no loop to go on with
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for a model or a tool", e);
            }
        }
    }
}
