package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.FaultyStore;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Listeners hear of every event, after its commit, once and in order, and are in nobody's way. */
class ListenerTest extends StoreSuite {

    private FaultyStore faulty;

    @BeforeEach
    void wrapStore() {
        faulty = new FaultyStore(store());
    }

    private CommandStack with(int buffer, SessionEventListener... listeners) {
        CommandStack.Builder builder = CommandStack.on(faulty).listenerBuffer(buffer);
        List.of(listeners).forEach(builder::listener);
        return start(builder);
    }

    private static void until(Runnable assertion) {
        await().atMost(Duration.ofSeconds(Bounded.SECONDS))
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(assertion::run);
    }

    /** Remembers what it heard. */
    private static class Recorder implements SessionEventListener {

        final List<SessionEventCommitted> heard = new CopyOnWriteArrayList<>();

        @Override
        public void onEvent(SessionEventCommitted committed) {
            heard.add(committed);
        }

        List<SessionEvent> of(SessionId id) {
            return heard.stream()
                    .filter(one -> one.session().equals(id))
                    .map(SessionEventCommitted::event)
                    .toList();
        }
    }

    /** Waits at the first event until it is let go on. */
    private static final class Blocked extends Recorder {

        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);

        @Override
        public void onEvent(SessionEventCommitted committed) {
            entered.countDown();
            Bounded.await(release);
            super.onEvent(committed);
        }
    }

    private void sayMany(CommandStack stack, SessionId id, int count) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(stack.commands.appendAllAsync(id, List.of(Drafts.say("m" + i))));
        }
        all.forEach(CompletableFuture::join);
    }

    @Nested
    class AnEvent {

        @Test
        void is_heard_when_it_is_durable_and_the_queries_show_it() {
            AtomicReference<CommandStack> stack = new AtomicReference<>();
            List<Boolean> sound = new CopyOnWriteArrayList<>();
            CountDownLatch started = new CountDownLatch(1);
            stack.set(with(100, committed -> {
                Bounded.await(started);
                sound.add(stack.get()
                                .queries
                                .event(committed.session(), committed.event().seq())
                                .equals(committed.event())
                        && stack.get().queries.nextSeq(committed.session())
                                > committed.event().seq());
            }));
            started.countDown();
            SessionId id = stack.get().commands.create(header("s"));
            sayMany(stack.get(), id, 50);

            until(() -> assertThat(sound).hasSize(50).containsOnly(true));
        }

        @Test
        void of_a_refused_or_failed_append_is_never_heard() {
            Recorder recorder = new Recorder();
            CommandStack stack = with(100, recorder);
            SessionId id = stack.commands.create(header("s"));
            assertThatThrownBy(() -> stack.commands.append(
                    id, io.surfacelog.event.OpaquePayload.of("no/type", io.surfacelog.event.Json.of(1))));
            faulty.beforeCommit(writes -> {
                throw new StoreUnavailableException(Reason.IO, "no");
            });
            assertThatThrownBy(() -> stack.commands.append(id, TurnStart.of(1)));
            faulty.heal();
            stack.commands.append(id, TurnStart.of(2));

            until(() -> assertThat(recorder.of(id)).isEqualTo(stored(id)));
            assertThat(recorder.heard).hasSize(1);
        }

        @Test
        void of_any_writer_is_heard_once_and_in_the_order_of_its_session() throws Exception {
            Recorder recorder = new Recorder();
            CommandStack stack = with(4, recorder);
            List<SessionId> ids = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ids.add(stack.commands.create(header("s" + i)));
            }
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Thread thread = new Thread(() -> ids.forEach(id -> sayMany(stack, id, 40)));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }

            for (SessionId id : ids) {
                until(() -> assertThat(recorder.of(id)).isEqualTo(stored(id)));
            }
            List<Long> positions =
                    recorder.heard.stream().map(SessionEventCommitted::position).toList();
            assertThat(positions).isSorted();
        }
    }

    @Nested
    class AListener {

        @Test
        void that_is_slow_reads_on_from_the_store_and_misses_nothing() {
            Blocked blocked = new Blocked();
            CommandStack stack = with(1, blocked);
            SessionId id = stack.commands.create(header("s"));
            stack.commands.append(id, TurnStart.of(1));
            Bounded.await(blocked.entered);
            sayMany(stack, id, 150);
            for (int i = 0; i < 150; i++) {
                stack.commands.append(id, TurnStart.of(i + 2));
            }
            blocked.release.countDown();
            sayMany(stack, id, 30);

            until(() -> assertThat(blocked.of(id)).isEqualTo(stored(id)));
            assertThat(blocked.heard).hasSize(331);
        }

        @Test
        void that_is_blocked_delays_neither_writers_nor_others() {
            Blocked blocked = new Blocked();
            Recorder recorder = new Recorder();
            CommandStack stack = with(2, blocked, recorder);
            SessionId id = stack.commands.create(header("s"));
            sayMany(stack, id, 100);

            until(() -> assertThat(recorder.of(id)).hasSize(100));
            assertThat(blocked.heard).isEmpty();
            blocked.release.countDown();
            until(() -> assertThat(blocked.of(id)).isEqualTo(recorder.of(id)));
        }

        @Test
        void that_throws_anything_hears_the_next_event_and_harms_nobody() {
            AtomicInteger calls = new AtomicInteger();
            Recorder recorder = new Recorder();
            CommandStack stack = with(
                    100,
                    committed -> {
                        int call = calls.incrementAndGet();
                        if (call % 3 == 0) {
                            throw new IllegalStateException("on purpose");
                        } else if (call % 3 == 1) {
                            throw new StackOverflowError("on purpose");
                        } else {
                            ListenerTest.<RuntimeException>sneak(new java.io.IOException("on purpose"));
                        }
                    },
                    recorder);
            SessionId id = stack.commands.create(header("s"));
            sayMany(stack, id, 9);

            until(() -> assertThat(calls).hasValue(9));
            until(() -> assertThat(recorder.of(id)).hasSize(9));
        }

        @Test
        void that_leaves_its_thread_interrupted_hears_the_next_event() {
            Recorder recorder = new Recorder() {

                @Override
                public void onEvent(SessionEventCommitted committed) {
                    super.onEvent(committed);
                    Thread.currentThread().interrupt();
                }
            };
            CommandStack stack = with(1, recorder);
            SessionId id = stack.commands.create(header("s"));
            for (int i = 0; i < 5; i++) {
                stack.commands.append(id, TurnStart.of(i + 1));
                int heard = i + 1;
                until(() -> assertThat(recorder.heard).hasSize(heard));
            }
        }

        @Test
        void may_append_to_the_same_session_and_to_another() {
            AtomicReference<CommandStack> stack = new AtomicReference<>();
            SessionId journal = SessionId.of("journal");
            Recorder recorder = new Recorder();
            SessionEventListener answering = committed -> {
                if (committed.event().type().equals(EventType.USER_MESSAGE)
                        && !committed.session().equals(journal)) {
                    stack.get()
                            .commands
                            .append(
                                    committed.session(),
                                    TurnStart.of(committed.event().seq() + 1));
                    stack.get()
                            .commands
                            .appendAll(
                                    journal,
                                    List.of(Drafts.say(
                                            "saw " + committed.event().seq())));
                }
            };
            stack.set(with(1, answering, recorder));
            stack.get().commands.create(header("journal"));
            SessionId id = stack.get().commands.create(header("s"));
            sayMany(stack.get(), id, 40);

            until(() -> assertThat(recorder.of(journal)).hasSize(40).isEqualTo(stored(journal)));
            until(() -> assertThat(recorder.of(id)).hasSize(80).isEqualTo(stored(id)));
        }

        @Test
        void that_is_made_late_hears_what_was_committed_since_the_dispatcher_was_made() {
            SessionId before = start().commands.create(header("before"), List.of());
            CommandStack stack = start(CommandStack.on(store()).listenersLater().listenerBuffer(2));
            SessionId id = stack.commands.create(header("s"));
            sayMany(stack, id, 20);
            Recorder recorder = new Recorder();

            CompletableFuture<Void> meanwhile = CompletableFuture.runAsync(() -> sayMany(stack, id, 60));
            stack.dispatcher.start(List.of(recorder));
            meanwhile.join();

            until(() -> assertThat(recorder.of(id)).hasSize(80).isEqualTo(stored(id)));
            assertThat(recorder.of(before)).isEmpty();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

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

    @Nested
    class Closing {

        @Test
        void lets_listeners_finish_what_they_are_behind() {
            Blocked blocked = new Blocked();
            CommandStack stack = with(2, blocked);
            SessionId id = stack.commands.create(header("s"));
            sayMany(stack, id, 30);
            Bounded.await(blocked.entered);
            CompletableFuture<Void> closing = CompletableFuture.runAsync(stack::close);
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
                    .noneMatch(thread -> thread.getName().equals("surfacelog-listener-Blocked")));
            assertThat(one.heard).isEmpty();
        }
    }

    @Test
    void an_append_that_was_planned_again_is_heard_where_it_stands() {
        Recorder recorder = new Recorder();
        CommandStack stack = with(100, recorder);
        CommandStack there = startAnotherProcess();
        SessionId id = stack.commands.create(header("s"));
        faulty.beforeCommit(writes -> {
            faulty.heal();
            there.commands.append(id, TurnStart.of(1));
        });
        assertThat(stack.commands.append(id, TurnStart.of(2)).seq()).isEqualTo(1);

        until(() -> assertThat(recorder.of(id)).containsExactly(stored(id).get(1)));
    }
}
