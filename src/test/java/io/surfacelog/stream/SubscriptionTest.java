package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.ForkSession;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.UnknownSessionException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Subscriptions begin where they are told to, end as they should, and are in nobody's way. */
class SubscriptionTest extends ListenerSuite {

    private CommandStack stack;
    private SessionId id;
    private final Recorder recorder = new Recorder();

    private void startWith(int events) {
        stack = with(100);
        id = stack.commands.create(header("s"));
        sayMany(stack, id, events);
    }

    private static <T extends Throwable> T failureOf(StreamSubscription subscription, Class<T> type) {
        until(() -> assertThat(subscription.ended()).isDone());
        CompletionException end = catchThrowableOfType(
                CompletionException.class, () -> subscription.ended().join());
        assertThat(end).isNotNull();
        assertThat(end.getCause()).isInstanceOf(type);
        return type.cast(end.getCause());
    }

    @Nested
    class Beginning {

        @Test
        void at_a_seq_hears_that_event_first_also_where_it_is_still_to_come() {
            startWith(10);
            Recorder later = new Recorder();
            stack.stream.subscribe(StreamRequest.of(id).fromSeq(4), recorder);
            stack.stream.subscribe(StreamRequest.of(id).fromSeq(15), later);
            sayMany(stack, id, 10);

            until(() -> assertThat(recorder.of(id)).isEqualTo(stored(id).subList(4, 20)));
            until(() -> assertThat(later.of(id)).isEqualTo(stored(id).subList(15, 20)));
        }

        @Test
        void inside_of_a_commit_hears_the_rest_of_it() {
            startWith(0);
            stack.commands.appendAll(id, List.of(Drafts.say("a"), Drafts.say("b"), Drafts.say("c")));
            long position = store().lastPosition();
            stack.stream.subscribe(StreamRequest.all().after(StreamPosition.after(position, 1)), recorder);
            Recorder ofOne = new Recorder();
            stack.stream.subscribe(StreamRequest.of(id).after(StreamPosition.after(position, 0)), ofOne);
            Recorder behind = new Recorder();
            stack.stream.subscribe(StreamRequest.of(id).after(StreamPosition.after(position, 2)), behind);
            stack.commands.appendAll(id, List.of(Drafts.say("d")));

            until(() -> assertThat(recorder.of(id)).isEqualTo(stored(id).subList(2, 4)));
            until(() -> assertThat(ofOne.of(id)).isEqualTo(stored(id).subList(1, 4)));
            until(() -> assertThat(behind.of(id)).isEqualTo(stored(id).subList(3, 4)));
        }

        @Test
        void on_a_fork_hears_what_it_inherited_and_on_all_sessions_hears_that_once() {
            startWith(5);
            SessionId fork = stack.commands.fork(ForkSession.of(id).at(2)).session();
            sayMany(stack, fork, 2);
            Recorder ofFork = new Recorder();
            stack.stream.subscribe(StreamRequest.of(fork).fromBeginning(), ofFork);
            stack.stream.subscribe(StreamRequest.all().fromBeginning(), recorder);

            until(() -> assertThat(ofFork.of(fork)).isEqualTo(stored(fork)));
            until(() -> assertThat(recorder.heard).isEqualTo(SubscriptionLawsTest.replay(store(), 0)));
            StreamPosition inherited = ofFork.heard.get(1).streamPosition();
            Recorder resumed = new Recorder();
            stack.stream.subscribe(StreamRequest.of(fork).after(inherited), resumed);
            until(() -> assertThat(resumed.of(fork)).isEqualTo(stored(fork).subList(2, (int) storedNextSeq(fork))));
        }

        @Test
        void fails_whole_where_the_store_does_and_can_be_tried_again() {
            startWith(5);
            StoreUnavailableException locked = new StoreUnavailableException(Reason.LOCKED, "locked");
            Thread subscribing = Thread.currentThread();
            Runnable failing = () -> {
                if (Thread.currentThread() == subscribing) {
                    throw locked;
                }
            };
            StreamRequest request = StreamRequest.of(id).fromBeginning();
            List<Recorder> refused = new ArrayList<>();
            for (int others = 0; others < 2; others++) {
                faulty.beforeLastPosition(failing);
                Recorder none = new Recorder();
                refused.add(none);
                assertThatThrownBy(() -> stack.stream.subscribe(request, none)).isSameAs(locked);
                assertThatThrownBy(() ->
                                stack.stream.subscribe(DurableRequest.of("name-" + refused.size(), request), none))
                        .isSameAs(locked);
                faulty.heal();
                if (others == 0) {
                    until(() -> assertThat(Thread.getAllStackTraces().keySet())
                            .as("nobody is polled for")
                            .extracting(Thread::getName)
                            .doesNotContain("surfacelog-poll"));
                }

                Recorder another = new Recorder();
                stack.stream.subscribe(request, another);
                sayMany(stack, id, 5);
                until(() -> assertThat(another.of(id)).isEqualTo(stored(id)));
            }
            Recorder durable = new Recorder();
            stack.stream.subscribe(DurableRequest.of("name-1", request), durable);
            until(() -> assertThat(durable.of(id)).isEqualTo(stored(id)));
            assertThat(refused).allMatch(none -> none.heard.isEmpty());
        }

        @Test
        void where_the_store_has_not_come_to_or_no_session_is_refused() {
            startWith(1);
            assertThatThrownBy(
                            () -> stack.stream.subscribe(StreamRequest.all().after(StreamPosition.after(99)), recorder))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("found 99");
            assertThatThrownBy(() -> stack.stream.subscribe(StreamRequest.of(SessionId.of("none")), recorder))
                    .isInstanceOf(UnknownSessionException.class);
            assertThatThrownBy(() -> StreamRequest.all().fromSeq(1)).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void hears_what_another_process_commits() {
            startWith(1);
            stack.stream.subscribe(StreamRequest.of(id).fromBeginning(), recorder);
            CommandStack there = startAnotherProcess();
            for (int i = 0; i < 5; i++) {
                sayMany(there, id, 1);
                sayMany(stack, id, 1);
            }
            sayMany(there, id, 1);

            until(() -> assertThat(recorder.of(id)).hasSize(12).isEqualTo(stored(id)));
        }
    }

    @Nested
    class ASlowSubscriber {

        @Test
        void that_is_stuck_delays_neither_writers_nor_others_and_misses_nothing() {
            startWith(0);
            Blocked blocked = new Blocked();
            stack.stream.subscribe(StreamRequest.of(id).buffer(2), blocked);
            stack.stream.subscribe(StreamRequest.all(), recorder);
            sayMany(stack, id, 3_000);

            until(() -> assertThat(recorder.of(id)).hasSize(3_000));
            assertThat(blocked.heard).isEmpty();
            blocked.release.countDown();
            until(() -> assertThat(blocked.of(id)).isEqualTo(stored(id)));
        }

        @Test
        void that_asked_for_it_is_disconnected_and_goes_on_exactly_there() {
            startWith(0);
            Blocked blocked = new Blocked();
            StreamSubscription subscription = stack.stream.subscribe(
                    StreamRequest.of(id).whenSlow(WhenSlow.DISCONNECT).buffer(3), blocked);
            sayMany(stack, id, 1);
            Bounded.await(blocked.entered);
            for (int i = 0; i < 20; i++) {
                sayMany(stack, id, 1);
            }
            Recorder live = new Recorder();
            stack.stream.subscribe(StreamRequest.of(id), live);
            sayMany(stack, id, 1);
            until(() -> assertThat(live.heard).hasSize(1));
            blocked.release.countDown();

            SubscriberTooSlowException end = failureOf(subscription, SubscriberTooSlowException.class);
            assertThat(end.buffer()).isEqualTo(3);
            assertThat(end.position()).isEqualTo(subscription.position());
            stack.stream.subscribe(StreamRequest.of(id).after(end.position()), blocked);
            until(() -> assertThat(blocked.of(id)).isEqualTo(stored(id)));
        }

        @Test
        void is_not_disconnected_for_the_commits_of_other_sessions_or_while_it_reads_what_was_there() {
            startWith(50);
            SessionId other = stack.commands.create(header("other"));
            Blocked blocked = new Blocked();
            StreamSubscription subscription = stack.stream.subscribe(
                    StreamRequest.of(id)
                            .fromBeginning()
                            .whenSlow(WhenSlow.DISCONNECT)
                            .buffer(1),
                    blocked);
            Bounded.await(blocked.entered);
            sayMany(stack, other, 200);
            blocked.release.countDown();

            until(() -> assertThat(blocked.of(id)).isEqualTo(stored(id)));
            assertThat(subscription.ended()).isNotDone();
        }
    }

    @Nested
    class Ending {

        @Test
        void by_a_listener_that_throws_is_before_the_event_it_threw_on() {
            startWith(5);
            AtomicInteger calls = new AtomicInteger();
            StreamSubscription subscription =
                    stack.stream.subscribe(StreamRequest.of(id).fromBeginning(), event -> {
                        if (calls.incrementAndGet() == 4) {
                            throw new AssertionError("on purpose");
                        }
                    });

            SubscriberFailedException end = failureOf(subscription, SubscriberFailedException.class);
            assertThat(end).hasMessageContaining("event 3 of session \"s\"");
            stack.stream.subscribe(StreamRequest.of(id).after(end.position()), recorder);
            until(() -> assertThat(recorder.of(id)).isEqualTo(stored(id).subList(3, 5)));
        }

        @Test
        void from_the_listener_itself_does_not_wait_for_itself() {
            startWith(3);
            AtomicReference<StreamSubscription> self = new AtomicReference<>();
            CountDownLatch known = new CountDownLatch(1);
            self.set(stack.stream.subscribe(StreamRequest.of(id).fromBeginning(), event -> {
                Bounded.await(known);
                recorder.onEvent(event);
                self.get().close();
            }));
            known.countDown();

            until(() -> assertThat(self.get().ended()).isCompleted());
            assertThat(recorder.heard).hasSize(1);
        }

        @Test
        void comes_with_the_session_and_not_with_its_successor_of_the_same_id() {
            startWith(3);
            StreamSubscription subscription =
                    stack.stream.subscribe(StreamRequest.of(id).fromBeginning(), recorder);
            until(() -> assertThat(recorder.heard).hasSize(3));
            stack.commands.delete(id);
            failureOf(subscription, UnknownSessionException.class);
            stack.commands.create(header("s"));
            sayMany(stack, id, 5);
            stack.stream.subscribe(StreamRequest.of(id).fromBeginning(), recorder);

            until(() -> assertThat(recorder.of(id)).hasSize(8));
            assertThat(recorder.of(id).subList(3, 8)).isEqualTo(stored(id));
        }

        @Test
        void of_the_stream_ends_all_and_lets_nobody_in() {
            startWith(3);
            StreamSubscription subscription = stack.stream.subscribe(StreamRequest.all(), recorder);
            stack.stream.close();

            assertThat(subscription.ended()).isCompleted();
            assertThatThrownBy(() -> stack.stream.subscribe(StreamRequest.all(), recorder))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Nested
    class TheStore {

        @Test
        void may_be_locked_for_a_while() {
            startWith(30);
            AtomicInteger locked = new AtomicInteger(3);
            faulty.beforeCommits(() -> {
                if (locked.getAndDecrement() > 0) {
                    throw new StoreUnavailableException(Reason.LOCKED, "locked");
                }
            });
            stack.stream.subscribe(StreamRequest.all().fromBeginning(), recorder);

            until(() -> assertThat(recorder.of(id)).isEqualTo(stored(id)));
        }

        @Test
        void that_is_damaged_ends_a_subscription_where_it_is_and_skips_nothing() {
            startWith(5);
            faulty.beforeEvents(read -> {
                throw new DamagedStoreException(new StoreFault(id, OptionalLong.of(0), "event", "checksum"));
            });
            StreamSubscription subscription =
                    stack.stream.subscribe(StreamRequest.all().fromBeginning(), recorder);
            failureOf(subscription, DamagedStoreException.class);
            faulty.heal();

            assertThat(recorder.heard).isEmpty();
            assertThat(subscription.position()).isEqualTo(StreamPosition.BEGINNING);
        }
    }

    @Test
    void a_listener_may_append_to_the_same_session_and_to_another() {
        startWith(0);
        SessionId journal = stack.commands.create(header("journal"));
        stack.stream.subscribe(StreamRequest.all(), committed -> {
            if (committed.event().type().equals(EventType.USER_MESSAGE)
                    && committed.session().equals(id)) {
                stack.commands.append(id, TurnStart.of(committed.event().seq() + 1));
                stack.commands.appendAll(
                        journal, List.of(Drafts.say("saw " + committed.event().seq())));
            }
        });
        stack.stream.subscribe(StreamRequest.all(), recorder);
        sayMany(stack, id, 20);

        until(() -> assertThat(recorder.of(journal)).hasSize(20));
        until(() -> assertThat(recorder.of(id)).hasSize(40).isEqualTo(stored(id)));
    }

    @Test
    void a_position_is_its_text_and_compares_in_the_order_of_the_stream() {
        List<String> texts = List.of("0", "1:0", "1:7", "1", "2:8", "10:1", "10");
        for (int i = 0; i < texts.size(); i++) {
            StreamPosition position = StreamPosition.parse(texts.get(i));
            assertThat(position).hasToString(texts.get(i));
            for (int j = 0; j < texts.size(); j++) {
                assertThat(Integer.signum(position.compareTo(StreamPosition.parse(texts.get(j)))))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
        for (String none :
                List.of("", ":", "1:", ":1", "-1", "+1", "0:1", "1:2:3", "x", "1 ", "99999999999999999999")) {
            assertThatThrownBy(() -> StreamPosition.parse(none)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
