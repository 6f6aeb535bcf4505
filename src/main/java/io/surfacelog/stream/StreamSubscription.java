package io.surfacelog.stream;

import java.util.concurrent.CompletableFuture;

/**
 * A running subscription. All methods may be called by any thread.
 *
 * <pre>{@code
 * try (StreamSubscription subscription = stream.subscribe(StreamRequest.of(id).fromBeginning(), listener)) {
 *     …
 *     save(subscription.position().toString());
 * }
 * }</pre>
 */
public interface StreamSubscription extends AutoCloseable {

    /** Behind the last event whose handler has returned: another subscription after it goes on exactly there. Cost: O(1). */
    StreamPosition position();

    /**
     * Done when it has ended and no more event will come: normally where it or the stream was closed, exceptionally with a
     * {@link StreamException}, a {@link io.surfacelog.store.StoreException} or what else ended it. Completing it by hand
     * does nothing to the subscription.
     */
    CompletableFuture<Void> ended();

    /**
     * Ends it: waits for the handler that is running, for five seconds at most, and then interrupts it. Called by the handler
     * itself it does not wait. May be called again.
     */
    @Override
    void close();
}
