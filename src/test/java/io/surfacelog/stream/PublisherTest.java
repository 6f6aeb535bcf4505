package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.UnknownSessionException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The publisher keeps the rules of Reactive Streams. */
class PublisherTest extends ListenerSuite {

    /** Writes down every signal. */
    private static class Subscriber implements Flow.Subscriber<SessionEventCommitted> {

        final List<SessionEventCommitted> events = new CopyOnWriteArrayList<>();
        final List<String> signals = new CopyOnWriteArrayList<>();
        final AtomicInteger inside = new AtomicInteger();
        volatile boolean overlapped;
        volatile Flow.@Nullable Subscription subscription;
        volatile @Nullable Throwable error;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            signals.add("subscribed");
            subscription = given;
        }

        @Override
        public void onNext(SessionEventCommitted event) {
            overlapped |= inside.incrementAndGet() > 1;
            events.add(event);
            inside.decrementAndGet();
        }

        @Override
        public void onError(Throwable failure) {
            overlapped |= inside.get() > 0;
            error = failure;
            signals.add("error");
        }

        @Override
        public void onComplete() {
            overlapped |= inside.get() > 0;
            signals.add("complete");
        }

        List<SessionEvent> heard() {
            return events.stream().map(SessionEventCommitted::event).toList();
        }
    }

    private CommandStack stack;
    private SessionId id;

    private Subscriber subscribed(Subscriber subscriber) {
        stack = with(100);
        id = stack.commands.create(header("s"));
        sayMany(stack, id, 20);
        stack.stream.publisher(StreamRequest.of(id).fromBeginning()).subscribe(subscriber);
        return subscriber;
    }

    @Test
    void delivers_no_more_than_was_asked_for_and_all_that_was() {
        Subscriber subscriber = subscribed(new Subscriber());
        assertThat(subscriber.signals).containsExactly("subscribed");
        for (int asked = 1; asked <= 10; asked += 3) {
            subscriber.subscription.request(3);
            int count = (asked / 3 + 1) * 3;
            until(() -> assertThat(subscriber.events).hasSize(count));
        }
        sayMany(stack, id, 30);
        assertThat(subscriber.events).hasSize(12);
        subscriber.subscription.request(Long.MAX_VALUE);
        subscriber.subscription.request(Long.MAX_VALUE);

        until(() -> assertThat(subscriber.heard()).isEqualTo(stored(id)));
        assertThat(subscriber.signals).containsExactly("subscribed");
        assertThat(subscriber.overlapped).isFalse();
    }

    @Test
    void may_be_asked_for_more_from_inside_of_a_signal() {
        Subscriber subscriber = subscribed(new Subscriber() {

            @Override
            public void onSubscribe(Flow.Subscription given) {
                super.onSubscribe(given);
                given.request(1);
            }

            @Override
            public void onNext(SessionEventCommitted event) {
                super.onNext(event);
                subscription.request(1);
            }
        });
        until(() -> assertThat(subscriber.heard()).isEqualTo(stored(id)));
    }

    @Test
    void sends_nothing_after_it_was_cancelled_from_any_thread_as_often_as_one_likes() throws Exception {
        CountDownLatch five = new CountDownLatch(5);
        Subscriber subscriber = subscribed(new Subscriber() {

            @Override
            public void onNext(SessionEventCommitted event) {
                super.onNext(event);
                five.countDown();
                if (five.getCount() == 0) {
                    subscription.cancel();
                }
            }
        });
        subscriber.subscription.request(100);
        Bounded.await(five);
        Thread other = new Thread(() -> {
            subscriber.subscription.cancel();
            subscriber.subscription.request(5);
            subscriber.subscription.request(-1);
        });
        other.start();
        other.join();
        sayMany(stack, id, 5);
        stack.stream.close();

        assertThat(subscriber.events).hasSize(5);
        assertThat(subscriber.signals).containsExactly("subscribed");
    }

    @Test
    void ends_with_an_error_where_less_than_one_is_asked_for() {
        for (long asked : new long[] {0, -1, Long.MIN_VALUE}) {
            Subscriber subscriber = subscribed(new Subscriber());
            subscriber.subscription.request(asked);
            until(() -> assertThat(subscriber.signals).containsExactly("subscribed", "error"));
            assertThat(subscriber.error)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("3.9");
            assertThat(subscriber.events).isEmpty();
            stack.commands.delete(id);
        }
    }

    @Test
    void is_heard_by_each_subscriber_from_where_it_began() {
        Subscriber first = subscribed(new Subscriber());
        first.subscription.request(Long.MAX_VALUE);
        Flow.Publisher<SessionEventCommitted> now = stack.stream.publisher(StreamRequest.all());
        Subscriber second = new Subscriber();
        now.subscribe(second);
        second.subscription.request(Long.MAX_VALUE);
        sayMany(stack, id, 3);
        Subscriber third = new Subscriber();
        now.subscribe(third);
        third.subscription.request(Long.MAX_VALUE);
        sayMany(stack, id, 2);

        until(() -> assertThat(first.heard()).isEqualTo(stored(id)));
        until(() -> assertThat(second.heard()).isEqualTo(stored(id).subList(20, 25)));
        until(() -> assertThat(third.heard()).isEqualTo(stored(id).subList(23, 25)));
    }

    @Test
    void completes_when_the_stream_is_closed_also_where_nothing_was_asked_for() {
        Subscriber subscriber = subscribed(new Subscriber());
        stack.stream.close();

        assertThat(subscriber.signals).containsExactly("subscribed", "complete");
        Subscriber late = new Subscriber();
        stack.stream.publisher(StreamRequest.all()).subscribe(late);
        assertThat(late.signals).containsExactly("subscribed", "error");
    }

    @Test
    void tells_of_an_unknown_session_after_subscribing() {
        stack = with(100);
        Subscriber subscriber = new Subscriber();
        stack.stream.publisher(StreamRequest.of(SessionId.of("none"))).subscribe(subscriber);

        assertThat(subscriber.signals).containsExactly("subscribed", "error");
        assertThat(subscriber.error).isInstanceOf(UnknownSessionException.class);
    }

    @Test
    void tells_of_a_store_that_fails_while_it_begins_after_subscribing() {
        stack = with(100);
        id = stack.commands.create(header("s"));
        StoreUnavailableException locked =
                new StoreUnavailableException(StoreUnavailableException.Reason.LOCKED, "locked");
        faulty.beforeLastPosition(() -> {
            throw locked;
        });
        Subscriber subscriber = new Subscriber();
        stack.stream.publisher(StreamRequest.of(id).fromBeginning()).subscribe(subscriber);
        faulty.heal();

        assertThat(subscriber.signals).containsExactly("subscribed", "error");
        assertThat(subscriber.error).isSameAs(locked);
    }

    @Test
    void is_not_harmed_by_a_subscriber_that_throws() {
        Subscriber throwing = subscribed(new Subscriber() {

            @Override
            public void onNext(SessionEventCommitted event) {
                super.onNext(event);
                throw new StackOverflowError("on purpose");
            }
        });
        Subscriber other = new Subscriber();
        stack.stream.publisher(StreamRequest.of(id).fromBeginning()).subscribe(other);
        throwing.subscription.request(10);
        other.subscription.request(Long.MAX_VALUE);

        until(() -> assertThat(other.heard()).isEqualTo(stored(id)));
        assertThat(throwing.events).hasSize(1);
        assertThat(throwing.signals).containsExactly("subscribed");
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void refuses_no_subscriber() {
        stack = with(100);
        assertThatThrownBy(() -> stack.stream.publisher(StreamRequest.all()).subscribe(null))
                .isInstanceOf(NullPointerException.class);
    }
}
