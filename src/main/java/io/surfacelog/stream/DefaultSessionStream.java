package io.surfacelog.stream;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreUnavailableException;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Makes the subscriptions. */
final class DefaultSessionStream implements SessionStream {

    private static final long END_SECONDS = 5;

    private final EventStore store;
    private final StreamSettings settings;
    private final Subscriptions subscriptions;
    private final HoldRenewal renewal;
    private final AtomicLong number = new AtomicLong();

    DefaultSessionStream(EventStore store, EventDispatcher dispatcher, StreamSettings settings) {
        this.store = store;
        this.settings = settings;
        this.subscriptions = new Subscriptions(store, dispatcher, settings);
        this.renewal = new HoldRenewal(settings.hold());
    }

    @Override
    public StreamSubscription subscribe(StreamRequest request, SessionEventListener listener) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        SubscriptionFeed feed = feed(request, new ListenerDelivery(listener, ended));
        return run(feed, ended);
    }

    @Override
    public StreamSubscription subscribe(DurableRequest request, SessionEventListener listener) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        DurableDelivery delivery = new DurableDelivery(
                store, request, settings.hold(), Clock.systemUTC(), new ListenerDelivery(listener, ended), renewal);
        SubscriptionFeed feed = feed(request.request(), delivery);
        delivery.of(feed);
        return run(feed, ended);
    }

    private StreamSubscription run(SubscriptionFeed feed, CompletableFuture<Void> ended) {
        feed.request(Long.MAX_VALUE);
        start(feed);
        return new Running(feed, ended);
    }

    @Override
    public boolean forget(String name) {
        return store.dropSubscription(name);
    }

    @Override
    public Flow.Publisher<SessionEventCommitted> publisher(StreamRequest request) {
        return subscriber -> publish(request, Objects.requireNonNull(subscriber));
    }

    private void publish(StreamRequest request, Flow.Subscriber<? super SessionEventCommitted> subscriber) {
        SubscriptionFeed feed;
        try {
            feed = feed(request, new FlowDelivery(subscriber));
        } catch (RuntimeException e) {
            refuse(subscriber, e);
            return;
        }
        subscriber.onSubscribe(FlowDelivery.subscription(feed));
        try {
            start(feed);
        } catch (RuntimeException | OutOfMemoryError e) {
            if (!feed.hasEnded()) {
                subscriber.onError(e);
            }
        }
    }

    /** A subscriber is told why in the way it understands, and that is not by an exception. */
    private static void refuse(Flow.Subscriber<? super SessionEventCommitted> subscriber, RuntimeException why) {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        subscriber.onSubscribe(new Flow.Subscription() {

            @Override
            public void request(long events) {}

            @Override
            public void cancel() {
                cancelled.complete(null);
            }
        });
        if (!cancelled.isDone()) {
            subscriber.onError(why);
        }
    }

    private SubscriptionFeed feed(StreamRequest request, Delivery delivery) {
        SessionId session = request.session();
        CommitReading reading = session == null ? CommitReading.of(store) : CommitReading.of(store, session);
        return new SubscriptionFeed(
                request,
                request.buffer() == 0 ? settings.bufferSize() : request.buffer(),
                start(request.start()),
                reading,
                subscriptions.recent(),
                delivery,
                subscriptions::leave,
                Long.toString(number.incrementAndGet()));
    }

    private Cursor start(StreamRequest.Start start) {
        if (start instanceof StreamRequest.Start.FromSeq from) {
            return Cursor.beforeSeq(from.seq());
        }
        long last = store.lastPosition();
        if (!(start instanceof StreamRequest.Start.After after)) {
            return Cursor.after(last);
        }
        if (after.position().position() > last) {
            throw new IllegalArgumentException("expected a position up to " + last + ", which is the last of "
                    + store.info().location() + ", found " + after.position() + "; is it one of another store?");
        }
        return Cursor.after(after.position());
    }

    private void start(SubscriptionFeed feed) {
        boolean running = false;
        try {
            if (!subscriptions.join(feed)) {
                throw new StoreUnavailableException(
                        StoreUnavailableException.Reason.CLOSED,
                        "this stream is closed; open another one to subscribe");
            }
            feed.start();
            running = true;
        } finally {
            if (!running) {
                subscriptions.leave(feed);
            }
        }
    }

    @Override
    public void close() {
        List<SubscriptionFeed> running = subscriptions.close();
        running.forEach(SubscriptionFeed::close);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        running.forEach(feed -> end(feed, deadline));
        renewal.close();
    }

    private static void end(SubscriptionFeed feed, long deadline) {
        if (!feed.awaitEnd(deadline)) {
            feed.interrupt();
        }
    }

    private record Running(SubscriptionFeed feed, CompletableFuture<Void> end) implements StreamSubscription {

        @Override
        public StreamPosition position() {
            return feed.position();
        }

        @Override
        public CompletableFuture<Void> ended() {
            return end.copy();
        }

        @Override
        public void close() {
            feed.close();
            DefaultSessionStream.end(feed, System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS));
        }
    }
}
