package io.surfacelog.stream;

import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers to a subscriber of Reactive Streams. */
final class FlowDelivery implements Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(FlowDelivery.class);

    private final Flow.Subscriber<? super SessionEventCommitted> subscriber;

    FlowDelivery(Flow.Subscriber<? super SessionEventCommitted> subscriber) {
        this.subscriber = subscriber;
    }

    @Override
    public boolean deliver(SessionEventCommitted event) {
        subscriber.onNext(event);
        return true;
    }

    @Override
    public void end(StreamPosition position, @Nullable Throwable failure, boolean cancelled) {
        if (cancelled) {
            return;
        }
        if (failure == null) {
            subscriber.onComplete();
        } else if (failure instanceof SubscriberFailedException failed) {
            // it has broken its contract by throwing, and is taken to have cancelled
            LOG.error("a subscriber has thrown, which ends its subscription", failed);
        } else {
            subscriber.onError(failure);
        }
    }

    /** What the subscriber holds. */
    static Flow.Subscription subscription(SubscriptionFeed feed) {
        return new Flow.Subscription() {

            @Override
            public void request(long events) {
                if (events > 0) {
                    feed.request(events);
                } else {
                    feed.fail(new IllegalArgumentException(
                            "expected a request for at least 1 event (rule 3.9 of Reactive Streams), found " + events));
                }
            }

            @Override
            public void cancel() {
                feed.cancel();
            }
        };
    }
}
