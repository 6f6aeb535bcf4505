package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.QueueSettings.WhenFull;
import io.surfacelog.event.Json;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What waits to be committed is bounded; a write without room waits or is refused, and is never lost. */
@SuppressWarnings("FutureReturnValueIgnored") // what became of them is read from the store
class BackPressureTest extends StoreSuite {

    private static final long LIMIT = 4_000;

    private FaultyStore faulty;
    private SessionId id;

    @BeforeEach
    void wrapStore() {
        faulty = new FaultyStore(store());
    }

    private CommandStack with(WhenFull whenFull) {
        CommandStack stack = start(CommandStack.on(faulty).queue(LIMIT, whenFull));
        id = stack.commands.create(header("s"), List.of());
        return stack;
    }

    private static EventDraft sized(int chars) {
        return EventDraft.of(OpaquePayload.of("hook/x", Json.of("x".repeat(chars))));
    }

    private static long queued(CommandStack stack) {
        return ((DefaultSessionCommands) stack.commands).queuedBytes();
    }

    private static void until(Runnable assertion) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(Bounded.SECONDS))
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(assertion::run);
    }

    /** A thread in an append that finds no room, until the held commit goes on. */
    private static Thread blocked(Runnable append) {
        Thread thread = new Thread(append);
        thread.start();
        until(() -> assertThat(thread.getState()).isIn(Thread.State.WAITING, Thread.State.TIMED_WAITING));
        return thread;
    }

    @Nested
    class ThatFails {

        @Test
        void refuses_what_has_no_room_and_lets_in_again_when_there_is() {
            CommandStack stack = with(WhenFull.FAIL);
            HeldCommit held = new HeldCommit(faulty);
            List<CompletableFuture<Appended>> in = new ArrayList<>();
            in.add(stack.commands.appendAllAsync(id, List.of(sized(1_000))));
            held.awaitReached();
            in.add(stack.commands.appendAllAsync(id, List.of(sized(1_000))));
            in.add(stack.commands.appendAllAsync(id, List.of(sized(1_000))));
            long queued = queued(stack);

            CompletableFuture<Appended> refused = stack.commands.appendAllAsync(id, List.of(sized(1_000)));
            assertThatThrownBy(refused::join).cause().isInstanceOfSatisfying(QueueFullException.class, e -> {
                assertThat(e.session()).isEqualTo(id);
                assertThat(e.limit()).isEqualTo(LIMIT);
                assertThat(e.queued()).isEqualTo(queued);
                assertThat(e.bytes()).isBetween(1_000L, 1_500L);
                assertThat(e).hasMessageContaining("surfacelog.queue.max-bytes");
            });
            assertThatExceptionOfType(QueueFullException.class)
                    .isThrownBy(() -> stack.commands.appendAll(id, List.of(sized(1_000))));
            assertThat(queued(stack)).isEqualTo(queued);
            held.close();

            in.forEach(CompletableFuture::join);
            assertThat(queued(stack)).isZero();
            assertThat(stack.commands.appendAll(id, List.of(sized(1_000))).seq())
                    .isEqualTo(4);
        }

        @Test
        void lets_in_one_write_larger_than_all_room_when_nothing_else_is_queued() {
            CommandStack stack = with(WhenFull.FAIL);

            assertThat(stack.commands.appendAll(id, List.of(sized(50_000))).seq())
                    .isEqualTo(1);
            HeldCommit held = new HeldCommit(faulty);
            CompletableFuture<Appended> small = stack.commands.appendAllAsync(id, List.of(sized(1)));
            held.awaitReached();
            assertThatThrownBy(() -> stack.commands
                            .appendAllAsync(id, List.of(sized(50_000)))
                            .join())
                    .hasCauseInstanceOf(QueueFullException.class);
            held.close();
            small.join();
        }

        @Test
        void keeps_no_room_for_what_was_refused_repeated_or_failed() {
            CommandStack stack = with(WhenFull.FAIL);
            AppendEvents keyed = AppendEvents.to(id, List.of(Drafts.say("k"))).idempotencyKey("k");
            stack.commands.append(keyed);
            stack.commands.append(keyed);
            assertThatThrownBy(() ->
                    stack.commands.append(id, OpaquePayload.of("no/type", Json.of("x".repeat(1_000)))));
            faulty.beforeCommit(writes -> {
                throw new StoreUnavailableException(Reason.DISK_FULL, "full");
            });
            assertThatThrownBy(() -> stack.commands.appendAll(id, List.of(sized(1_000))));
            assertThatThrownBy(() -> stack.commands.create(header("new")));
            faulty.heal();

            assertThat(queued(stack)).isZero();
        }
    }

    @Nested
    class ThatBlocks {

        @Test
        void keeps_the_caller_until_there_is_room_and_loses_nothing() throws Exception {
            CommandStack stack = with(WhenFull.BLOCK);
            HeldCommit held = new HeldCommit(faulty);
            AtomicInteger made = new AtomicInteger();
            Thread caller = new Thread(() -> {
                for (int i = 0; i < 40; i++) {
                    stack.commands.appendAllAsync(id, List.of(sized(1_000)));
                    made.incrementAndGet();
                }
            });
            caller.start();
            held.awaitReached();
            until(() -> assertThat(made).hasValue(3));
            assertThat(queued(stack)).isLessThanOrEqualTo(LIMIT);
            held.close();
            caller.join();
            stack.commands.flush(id);

            assertThat(storedNextSeq(id)).isEqualTo(41);
            assertThat(queued(stack)).isZero();
        }

        @Test
        void gives_up_a_write_whose_thread_is_interrupted_and_writes_nothing_of_it() throws Exception {
            CommandStack stack = with(WhenFull.BLOCK);
            HeldCommit held = new HeldCommit(faulty);
            CompletableFuture<Appended> in = stack.commands.appendAllAsync(id, List.of(sized(3_500)));
            held.awaitReached();
            AtomicReference<Throwable> refusal = new AtomicReference<>();
            AtomicReference<Boolean> interrupted = new AtomicReference<>();
            List<Thread> waiting = new ArrayList<>();
            for (int i = 0; i < 2; i++) { // one first in line, one behind it
                waiting.add(blocked(() -> {
                    try {
                        stack.commands.appendAll(id, List.of(sized(1_000)));
                    } catch (WriteInterruptedException e) {
                        refusal.set(e);
                        interrupted.set(Thread.currentThread().isInterrupted());
                    }
                }));
            }
            for (Thread one : waiting) {
                refusal.set(null);
                one.interrupt();
                one.join();
                assertThat(refusal.get()).isInstanceOf(WriteInterruptedException.class);
                assertThat(interrupted).hasValue(true);
            }
            held.close();

            assertThat(in.join().seq()).isEqualTo(1);
            assertThat(stack.commands.append(id, TurnStart.of(1)).seq()).isEqualTo(2);
        }

        @Test
        void refuses_those_who_wait_when_it_is_closed_and_commits_what_was_let_in() throws Exception {
            CommandStack stack = with(WhenFull.BLOCK);
            HeldCommit held = new HeldCommit(faulty);
            CompletableFuture<Appended> in = stack.commands.appendAllAsync(id, List.of(sized(2_000)));
            held.awaitReached();
            CompletableFuture<Appended> alsoIn = stack.commands.appendAllAsync(id, List.of(sized(1_000)));
            List<Throwable> refusals = java.util.Collections.synchronizedList(new ArrayList<>());
            List<Thread> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                waiting.add(blocked(() -> {
                    try {
                        stack.commands.appendAll(id, List.of(sized(3_000)));
                    } catch (StoreUnavailableException e) {
                        refusals.add(e);
                    }
                }));
            }
            CompletableFuture<Void> closing = Aside.run(stack.commands::close);
            // those behind the first in line are refused while the commit is still under way
            until(() -> assertThat(waiting.stream().filter(Thread::isAlive)).hasSize(1));
            held.close();
            closing.join();
            for (Thread one : waiting) {
                one.join();
            }

            assertThat(refusals)
                    .hasSize(3)
                    .allSatisfy(e ->
                            assertThat(((StoreUnavailableException) e).reason()).isEqualTo(Reason.CLOSED));
            assertThat(in.join().seq()).isEqualTo(1);
            assertThat(alsoIn.join().seq()).isEqualTo(2);
            assertThat(storedNextSeq(id)).isEqualTo(3);
        }

        @Test
        void holds_up_nobody_for_ever_who_writes_from_a_listener_an_interceptor_or_a_continuation() {
            AtomicReference<CommandStack> running = new AtomicReference<>();
            AtomicInteger echoes = new AtomicInteger();
            SessionId audit = SessionId.of("audit");
            CommandStack stack = start(CommandStack.on(faulty)
                    .queue(LIMIT, WhenFull.BLOCK)
                    .listener(committed -> {
                        if (committed.session().value().equals("s")
                                && committed.event().seq() > 0) {
                            running.get().commands.appendAll(audit, List.of(sized(900)));
                            echoes.incrementAndGet();
                        }
                    })
                    .interceptor(new CommandInterceptor() {
                        @Override
                        public <R> CompletableFuture<R> intercept(SessionCommand<R> command, Chain chain) {
                            if (command.session().value().equals("s")) {
                                running.get().commands.appendAllAsync(audit, List.of(sized(700)));
                            }
                            return chain.proceed(command);
                        }
                    }));
            running.set(stack);
            stack.commands.create(header("audit"), List.of());
            id = stack.commands.create(header("s"), List.of());
            List<CompletableFuture<Appended>> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                all.add(stack.commands
                        .appendAllAsync(id, List.of(sized(1_500)))
                        .thenApply(one -> stack.commands.appendAll(audit, List.of(sized(2_500)))));
            }
            all.forEach(one -> one.orTimeout(Bounded.SECONDS, TimeUnit.SECONDS).join());
            until(() -> assertThat(echoes).hasValue(60));
            stack.commands.flush(audit);

            assertThat(storedNextSeq(id)).isEqualTo(61);
            // its seed marker, and one each of listener, interceptor (the creation too) and continuation
            assertThat(storedNextSeq(audit)).isEqualTo(1 + 60 + 61 + 60);
        }
    }

    @Test
    void bytes_in_the_queue_never_exceed_the_bound_or_one_larger_write() {
        CommandStack stack = with(WhenFull.BLOCK);
        Seeds.forEach(3, seed -> keepsTheBound(stack, seed));
    }

    private void keepsTheBound(CommandStack stack, long seed) {
        long before = storedNextSeq(id);
        AtomicLong most = new AtomicLong();
        faulty.beforeCommit(writes -> most.accumulateAndGet(queued(stack), Math::max));
        AtomicInteger written = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            Random random = new Random(seed + t);
            running.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < 40; i++) {
                            written.addAndGet(write(stack, random));
                            most.accumulateAndGet(queued(stack), Math::max);
                        }
                    },
                    threads));
        }
        running.forEach(one -> one.orTimeout(Bounded.SECONDS, TimeUnit.SECONDS).join());
        threads.shutdown();
        stack.commands.flush(id);

        assertThat(most.get()).isBetween(1L, 6_000L + 1_000);
        assertThat(storedNextSeq(id)).isEqualTo(before + written.get());
        assertThat(queued(stack)).isZero();
    }

    private int write(CommandStack stack, Random random) {
        // now and then one that is larger than all room there is
        int chars = random.nextInt(20) == 0 ? 6_000 : random.nextInt(1_500);
        if (random.nextBoolean()) {
            stack.commands.appendAllAsync(id, List.of(sized(chars)));
            return 1;
        }
        return stack.commands
                .appendAll(id, next -> List.of(sized(chars), Drafts.say("at " + next)))
                .events()
                .size();
    }
}
