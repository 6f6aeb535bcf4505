package io.surfacelog.cli;

import io.surfacelog.event.SurfacelogException;
import io.surfacelog.stream.StreamException;
import io.surfacelog.stream.StreamSubscription;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** How far a session has been shown, for whoever has to wait for it. Safe for use by several threads. */
final class ShownEvents {

    private long shownTo = -1;
    private boolean ended;

    synchronized void begin(long seq) {
        shownTo = seq - 1;
        ended = false;
    }

    synchronized void shown(long seq) {
        shownTo = seq;
        notifyAll();
    }

    private synchronized void ended() {
        ended = true;
        notifyAll();
    }

    /**
     * Waits until the event was shown.
     *
     * @throws RuntimeException what ended the subscription before
     */
    void await(long seq, StreamSubscription subscription) throws InterruptedException {
        CompletableFuture<Void> unused = subscription.ended().whenComplete((nothing, failure) -> ended());
        synchronized (this) {
            while (shownTo < seq && !ended) {
                wait();
            }
            if (shownTo >= seq) {
                return;
            }
        }
        throw failure(subscription);
    }

    private static RuntimeException failure(StreamSubscription subscription) {
        try {
            subscription.ended().join();
            return new IllegalStateException("the stream was closed before all of it was shown");
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof StreamException && cause.getCause() instanceof RuntimeException own) {
                return own;
            }
            return cause instanceof SurfacelogException known ? known : e;
        }
    }
}
