package io.surfacelog.command;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Completes the futures that callers hang their continuations on, on threads of its own: a continuation that takes its
 * time, or waits for another append, delays neither a commit nor a blocking caller. Idle threads are
 * used again, and one that waits keeps no other from being answered.
 */
final class Continuations implements AutoCloseable {

    private final ExecutorService pool = Executors.newCachedThreadPool(Continuations::thread);

    private static Thread thread(Runnable answer) {
        Thread thread = new Thread(answer, "surfacelog-answers");
        thread.setDaemon(true);
        return thread;
    }

    /** A future for the caller, which is told what this one is told, without the wrapping of dependent futures. */
    @SuppressWarnings("FutureReturnValueIgnored") // the outer future tells all there is to tell
    <T> CompletableFuture<T> of(CompletableFuture<T> inner) {
        CompletableFuture<T> outer = new CompletableFuture<>();
        inner.whenComplete((result, failure) -> execute(() -> complete(outer, result, failure)));
        return outer;
    }

    private static <T> void complete(CompletableFuture<T> outer, T result, @Nullable Throwable failure) {
        if (failure == null) {
            outer.complete(result);
            return;
        }
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        outer.completeExceptionally(cause == null ? failure : cause);
    }

    private void execute(Runnable answer) {
        try {
            pool.execute(answer);
        } catch (RejectedExecutionException e) {
            answer.run(); // closed: it is told here
        }
    }

    /** Answers that were given before still arrive. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
