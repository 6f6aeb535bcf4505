package io.surfacelog.command;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Completes the futures that callers hang their continuations on, on {@linkplain AnswerThreads threads} of its own: a
 * continuation that takes its time, or waits for another append, delays neither a commit nor a blocking caller.
 *
 * <p>As with every {@link CompletableFuture}, what is hung on one that is complete already runs at once on the thread
 * that hangs it there.
 */
final class Continuations implements AutoCloseable {

    private final AnswerThreads threads = new AnswerThreads(AnswerThreads.daemons("surfacelog-answers"));

    /** A future for the caller, which is told what this one is told, without the wrapping of dependent futures. */
    @SuppressWarnings("FutureReturnValueIgnored") // the outer future tells all there is to tell
    <T> CompletableFuture<T> of(CompletableFuture<T> inner) {
        CompletableFuture<T> outer = new CompletableFuture<>();
        if (inner.isCompletedExceptionally()) {
            // nothing can hang on it yet, and whoever is refused at once sees it at once
            inner.whenComplete((result, failure) -> complete(outer, result, failure));
            return outer;
        }
        inner.whenComplete((result, failure) -> threads.execute(() -> complete(outer, result, failure)));
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

    /** Answers that were given before still arrive; later ones arrive on the thread that gives them. */
    @Override
    public void close() {
        threads.close();
    }
}
