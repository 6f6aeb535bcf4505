package io.surfacelog.stream;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers to a listener. */
final class ListenerDelivery implements Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerDelivery.class);

    private final SessionEventListener listener;
    private final CompletableFuture<Void> ended;

    ListenerDelivery(SessionEventListener listener, CompletableFuture<Void> ended) {
        this.listener = listener;
        this.ended = ended;
    }

    @Override
    public boolean deliver(SessionEventCommitted event) {
        listener.onEvent(event);
        return true;
    }

    @Override
    public void end(StreamPosition position, @Nullable Throwable failure, boolean cancelled) {
        if (failure == null) {
            ended.complete(null);
            return;
        }
        // nobody may be waiting for the end
        LOG.warn("a subscription has ended at position {}: {}", position, failure.toString());
        ended.completeExceptionally(failure);
    }
}
