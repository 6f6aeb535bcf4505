package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.testing.Aside;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Listeners, when the store cannot be read and when the dispatcher closes. */
class ListenerFaultsTest extends ListenerSuite {

    @Nested
    class AStoreThatCannotBeRead {

        @Test
        void for_a_while_costs_a_slow_listener_no_event() {
            Blocked blocked = new Blocked();
            CommandStack stack = with(1, blocked);
            SessionId id = stack.commands.create(header("s"));
            sayMany(stack, id, 3);
            Bounded.await(blocked.entered);
            sayMany(stack, id, 20);
            AtomicInteger locked = new AtomicInteger(3);
            faulty.beforeCommits(() -> {
                if (locked.getAndDecrement() > 0) {
                    throw new StoreUnavailableException(Reason.LOCKED, "locked");
                }
            });
            blocked.release.countDown();

            until(() -> assertThat(blocked.of(id)).isEqualTo(stored(id)));
        }

        @Test
        void where_one_session_is_damaged_costs_no_other_session_an_event() {
            Blocked blocked = new Blocked();
            CommandStack stack = with(1, blocked);
            SessionId id = stack.commands.create(header("s"));
            SessionId damaged = stack.commands.create(header("damaged"));
            stack.commands.append(id, TurnStart.of(1));
            Bounded.await(blocked.entered);
            for (int i = 0; i < 5; i++) {
                stack.commands.append(damaged, TurnStart.of(i + 1));
                stack.commands.append(id, TurnStart.of(i + 2));
            }
            faulty.beforeEvents(read -> {
                if (read.equals(damaged)) {
                    throw new DamagedStoreException(new StoreFault(damaged, OptionalLong.of(0), "event", "checksum"));
                }
            });
            blocked.release.countDown();

            until(() -> assertThat(blocked.of(id)).isEqualTo(stored(id)));
        }

        @Test
        void with_an_exception_of_another_kind_does_not_end_the_feed() {
            Blocked blocked = new Blocked();
            CommandStack stack = with(1, blocked);
            SessionId id = stack.commands.create(header("s"));
            stack.commands.append(id, TurnStart.of(1));
            Bounded.await(blocked.entered);
            sayMany(stack, id, 10);
            for (int i = 0; i < 5; i++) {
                stack.commands.append(id, TurnStart.of(i + 2));
            }
            AtomicInteger odd = new AtomicInteger(1);
            faulty.beforeCommits(() -> {
                if (odd.getAndDecrement() > 0) {
                    throw new IllegalStateException("odd");
                }
            });
            blocked.release.countDown();
            until(() -> assertThat(odd.get()).isLessThan(1));
            stack.commands.append(id, TurnStart.of(99));

            until(() -> assertThat(blocked.of(id)).last().isEqualTo(stored(id).get(16)));
        }
    }

    @Test
    void what_one_throws_need_not_be_printable() {
        Recorder recorder = new Recorder() {

            @Override
            public void onEvent(SessionEventCommitted committed) {
                super.onEvent(committed);
                throw new Unprintable();
            }
        };
        CommandStack stack = with(10, recorder);
        SessionId id = stack.commands.create(header("s"));

        sayMany(stack, id, 3);

        until(() -> assertThat(recorder.of(id)).isEqualTo(stored(id)));
    }

    private static final class Unprintable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("there is none");
        }
    }

    @Nested
    class Closing {

        @Test
        void lets_listeners_finish_what_they_are_behind() {
            Blocked blocked = new Blocked();
            CommandStack stack = with(2, blocked);
            SessionId id = stack.commands.create(header("s"));
            sayMany(stack, id, 30);
            Bounded.await(blocked.entered);
            CompletableFuture<Void> closing = Aside.run(stack::close);
            blocked.release.countDown();
            closing.join();

            assertThat(blocked.of(id)).isEqualTo(stored(id));
        }

        @Test
        void from_a_listener_does_not_wait_for_itself() {
            AtomicReference<CommandStack> stack = new AtomicReference<>();
            CountDownLatch closed = new CountDownLatch(1);
            stack.set(with(10, committed -> {
                stack.get().close();
                closed.countDown();
            }));
            long began = System.nanoTime();
            stack.get().commands.create(header("s"), List.of());
            Bounded.await(closed);

            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
        }

        @Test
        void ends_what_can_be_started_and_a_start_is_once() {
            EventDispatcher dispatcher = new EventDispatcher(store(), 1);
            dispatcher.start(List.of());
            assertThatThrownBy(() -> dispatcher.start(List.of())).isInstanceOf(IllegalStateException.class);
            dispatcher.close();

            EventDispatcher never = new EventDispatcher(store(), 1);
            never.close();
            assertThatThrownBy(() -> never.start(List.of())).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> new EventDispatcher(store(), 0)).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        @Tag("slow")
        void waits_five_seconds_in_all_for_listeners_that_do_not_end() {
            Blocked one = new Blocked();
            Blocked two = new Blocked();
            CommandStack stack = with(2, one, two);
            SessionId id = stack.commands.create(header("s"));
            sayMany(stack, id, 5);
            Bounded.await(one.entered);
            Bounded.await(two.entered);
            long began = System.nanoTime();
            stack.close();

            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
            until(() -> assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("surfacelog-listeners-")));
            assertThat(one.heard).isEmpty();
        }
    }
}
