package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.StoredSubscription;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Durable subscriptions go on where the last of their name ended, in one process at a time. */
class DurableSubscriptionTest extends ListenerSuite {

    private static final String NAME = "index";

    private CommandStack stack;
    private SessionId id;
    private final Recorder recorder = new Recorder();

    private void startWith(int events) {
        stack = with(100);
        id = stack.commands.create(header("s"));
        sayMany(stack, id, events);
    }

    private static DurableRequest all() {
        return DurableRequest.of(NAME, StreamRequest.all().fromBeginning()).every(3);
    }

    @Test
    void go_on_where_the_last_one_was_closed() {
        startWith(10);
        for (int most = 4; most <= 10; most += 3) {
            int end = most;
            StreamSubscription subscription = stack.stream.subscribe(all(), event -> {
                if (recorder.heard.size() == end) {
                    throw new IllegalStateException("on purpose");
                }
                recorder.onEvent(event);
            });
            until(() -> assertThat(recorder.heard).hasSize(end));
            subscription.close();
        }
        assertThat(recorder.of(id)).isEqualTo(stored(id));
    }

    @Test
    void keep_their_position_within_a_time_where_events_are_few() {
        startWith(2);
        stack.stream.subscribe(all().every(1_000).within(Duration.ofMillis(20)), recorder);

        until(() -> assertThat(store().subscription(NAME).orElseThrow().seq()).isEqualTo(1));
    }

    @Test
    void handle_again_after_a_crash_what_came_since_the_position_was_kept() {
        startWith(10);
        faulty.beforeMove(moved -> {
            if (moved.seq() > 2) {
                throw new StoreUnavailableException(Reason.CLOSED, "as if the process had died");
            }
        });
        StreamSubscription dying = stack.stream.subscribe(all(), recorder);
        until(() -> assertThat(dying.ended()).isDone());
        assertThat(recorder.heard).hasSize(6);
        faulty.heal();
        letGo();
        Recorder next = new Recorder();
        stack.stream.subscribe(all(), next);

        until(() -> assertThat(next.of(id)).isEqualTo(stored(id).subList(3, 10)));
    }

    @Test
    void that_keep_it_before_the_handler_never_handle_an_event_twice() {
        startWith(10);
        AtomicInteger calls = new AtomicInteger();
        StreamSubscription failing = stack.stream.subscribe(all().beforeHandler(), event -> {
            assertThat(store().subscription(NAME).orElseThrow().seq())
                    .isGreaterThanOrEqualTo(event.event().seq());
            if (calls.incrementAndGet() == 5) {
                throw new IllegalStateException("on purpose");
            }
            recorder.onEvent(event);
        });
        until(() -> assertThat(failing.ended()).isDone());
        stack.stream.subscribe(all().beforeHandler(), recorder);

        until(() -> assertThat(recorder.heard).hasSize(9));
        assertThat(recorder.heard).doesNotHaveDuplicates();
    }

    /** As if the hold of a dead process were over. */
    private void letGo() {
        StoredSubscription stored = store().subscription(NAME).orElseThrow();
        assertThat(store().moveSubscription(stored.letGo(stored.renewedAt()))).isTrue();
    }

    @Test
    void are_served_in_one_process_and_another_takes_over_when_that_one_closes() {
        startWith(5);
        CommandStack there = startAnotherProcess();
        Recorder second = new Recorder();
        StreamSubscription first = stack.stream.subscribe(all(), recorder);
        until(() -> assertThat(recorder.heard).hasSize(5));
        there.stream.subscribe(all(), second);
        sayMany(stack, id, 5);
        until(() -> assertThat(recorder.heard).hasSize(10));
        assertThat(second.heard).isEmpty();
        first.close();
        sayMany(stack, id, 5);

        until(() -> assertThat(second.of(id)).isEqualTo(stored(id).subList(10, 15)));
        assertThat(recorder.heard).hasSize(10);
    }

    @Test
    void that_were_taken_over_while_their_process_slept_end_and_move_nothing() {
        stack = start(
                CommandStack.on(faulty).stream(new StreamSettings(16, Duration.ofMillis(5), Duration.ofMillis(200))));
        id = stack.commands.create(header("s"));
        sayMany(stack, id, 1);
        Blocked asleep = new Blocked();
        StreamSubscription first = stack.stream.subscribe(all(), asleep);
        Bounded.await(asleep.entered);
        faulty.beforeMove(moved -> {
            throw new StoreUnavailableException(Reason.LOCKED, "asleep");
        });
        CommandStack there = startAnotherProcess();
        Recorder second = new Recorder();
        there.stream.subscribe(all(), second);
        until(() -> assertThat(second.heard).hasSize(1));
        faulty.heal();
        sayMany(stack, id, 9);
        asleep.release.countDown();

        until(() -> assertThat(first.ended()).isCompletedExceptionally());
        assertThatThrownBy(() -> first.ended().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(SubscriptionLostException.class);
        assertThat(asleep.heard).hasSize(1);
        until(() -> assertThat(second.of(id)).isEqualTo(stored(id)));
    }

    @Test
    void begin_anew_when_they_are_forgotten_and_go_with_their_session() {
        startWith(3);
        StreamSubscription kept = stack.stream.subscribe(all(), recorder);
        until(() -> assertThat(recorder.heard).hasSize(3));
        kept.close();
        assertThat(stack.stream.forget(NAME)).isTrue();
        assertThat(stack.stream.forget(NAME)).isFalse();
        DurableRequest ofOne = DurableRequest.of(NAME, StreamRequest.of(id).fromSeq(1));
        StreamSubscription one = stack.stream.subscribe(ofOne, recorder);
        until(() -> assertThat(recorder.heard).hasSize(5));
        one.close();
        StreamSubscription other = stack.stream.subscribe(all(), recorder);
        until(() -> assertThat(other.ended()).isCompletedExceptionally());
        stack.commands.delete(id);

        assertThat(store().subscription(NAME)).isEmpty();
    }

    @Test
    void have_names_that_can_be_kept_as_they_are() {
        assertThatThrownBy(() -> DurableRequest.of("a b", StreamRequest.all()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"a b\"");
    }
}
