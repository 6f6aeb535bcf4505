package io.surfacelog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.testing.Aside;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Listeners hear of every event, after its commit, once and in order, and are in nobody's way. */
class ListenerTest extends ListenerSuite {

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
        void that_is_one_of_many_blocked_ones_delays_nobody_and_misses_nothing() {
            List<Recorder> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                all.add(i % 3 == 2 ? new Recorder() : new Blocked());
            }
            CommandStack stack = with(3, all.toArray(SessionEventListener[]::new));
            SessionId id = stack.commands.create(header("s"));
            sayMany(stack, id, 10);

            for (Recorder recorder : all) {
                if (recorder instanceof Blocked blocked) {
                    Bounded.await(blocked.entered);
                    assertThat(blocked.heard).isEmpty();
                } else {
                    until(() -> assertThat(recorder.of(id)).isEqualTo(stored(id)));
                }
            }
            all.stream().filter(Blocked.class::isInstance).forEach(blocked -> ((Blocked) blocked).release.countDown());
            sayMany(stack, id, 10);
            for (Recorder recorder : all) {
                until(() -> assertThat(recorder.of(id)).isEqualTo(stored(id)));
            }
        }

        @Test
        void that_does_little_shares_its_thread_and_one_that_blocked_others_gives_its_own_up() {
            Blocked blocked = new Blocked();
            Set<Thread> threads = ConcurrentHashMap.newKeySet();
            List<SessionEventListener> all = new ArrayList<>(List.of(blocked));
            AtomicInteger calls = new AtomicInteger();
            for (int i = 0; i < 10; i++) {
                all.add(committed -> {
                    threads.add(Thread.currentThread());
                    calls.incrementAndGet();
                });
            }
            CommandStack stack = with(100, all.toArray(SessionEventListener[]::new));
            SessionId id = stack.commands.create(header("s"));
            sayMany(stack, id, 1);
            Bounded.await(blocked.entered);
            until(() -> assertThat(calls).hasValue(10));
            blocked.release.countDown();
            until(() -> assertThat(blocked.of(id)).isEqualTo(stored(id)));
            threads.add(blocked.last);

            until(() -> assertThat(threads.stream().filter(Thread::isAlive)).hasSize(1));
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

            CompletableFuture<Void> meanwhile = Aside.run(() -> sayMany(stack, id, 60));
            stack.dispatcher.start(List.of(recorder));
            meanwhile.join();

            until(() -> assertThat(recorder.of(id)).hasSize(80).isEqualTo(stored(id)));
            assertThat(recorder.of(before)).isEmpty();
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

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }
}
