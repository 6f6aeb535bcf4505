package io.surfacelog.projection;

import static io.surfacelog.projection.SurfaceAssertions.assertSame;
import static io.surfacelog.projection.SurfaceAssertions.fold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Appended;
import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.FaultyStore;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceChange;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Live sessions are a cache: what is in it and what left it changes no answer. */
class LiveSessionsTest extends StoreSuite {

    private FaultyStore faulty;

    @BeforeEach
    void wrapStore() {
        faulty = new FaultyStore(store());
    }

    @Nested
    class Eviction {

        @Test
        void changes_no_answer() {
            int seeds = store() instanceof MemoryEventStore ? 30 : 4;
            Seeds.forEach(seeds, seed -> {
                CommandStack stack = start(CommandStack.reporting(store()).maxLiveSessions(1 + (int) (seed % 3)));
                Random random = new Random(seed);
                List<SessionId> ids = new ArrayList<>();
                List<List<SessionEvent>> logs = new ArrayList<>();
                int[] done = new int[5];
                for (int i = 0; i < 5; i++) {
                    ids.add(stack.commands.create(header("s" + seed + "-" + i)));
                    logs.add(SessionGenerator.any(seed * 5 + i).log(40));
                }
                List<CompletableFuture<Appended>> pending = new ArrayList<>();
                for (int step = 0; step < 120; step++) {
                    int i = random.nextInt(5);
                    List<SessionEvent> log = logs.get(i);
                    int to = Math.min(log.size(), done[i] + 1 + random.nextInt(3));
                    if (random.nextInt(3) > 0 && done[i] < to) {
                        pending.add(stack.commands.appendAllAsync(ids.get(i), Drafts.of(log.subList(done[i], to))));
                        done[i] = to;
                    } else {
                        pending.forEach(CompletableFuture::join);
                        pending.clear();
                        assertSame(stack.queries.surface(ids.get(i)), fold(log.subList(0, done[i])), "step " + step);
                        assertThat(stack.queries.header(ids.get(i)).id()).isEqualTo(ids.get(i));
                    }
                }
                pending.forEach(CompletableFuture::join);
                for (int i = 0; i < 5; i++) {
                    assertThat(stored(ids.get(i))).isEqualTo(logs.get(i).subList(0, done[i]));
                    assertSame(stack.queries.surface(ids.get(i)), fold(stored(ids.get(i))), "end");
                }
                assertThat(stack.projection.liveSessions()).isLessThanOrEqualTo(1 + (int) (seed % 3));
            });
        }

        @Test
        void does_not_begin_with_the_session_that_has_just_been_created() {
            CommandStack stack = start(CommandStack.reporting(faulty).maxLiveSessions(2));
            for (String used : List.of("a", "b")) {
                stack.commands.create(header(used));
                stack.queries.surface(SessionId.of(used));
            }
            stack.commands.create(header("c"));
            faulty.beforeEvents(id -> {
                throw new AssertionError(id + " is read though it has just been created");
            });

            assertThat(stack.queries.nextSeq(SessionId.of("c"))).isZero();
        }

        @Test
        void keeps_within_the_bytes_but_for_the_session_just_used() {
            CommandStack stack = start(CommandStack.reporting(faulty).maxLiveBytes(1));
            for (String used : List.of("a", "b", "c")) {
                SessionId id = stack.commands.create(header(used));
                stack.commands.appendAll(id, List.of(Drafts.say("larger than the bound"), Drafts.say("by far")));
                assertThat(stack.projection.liveSessions()).isEqualTo(1);
                assertThat(stack.projection.stats().liveBytes()).isGreaterThan(1);
                faulty.beforeEvents(read -> {
                    throw new AssertionError(read + " is read though it has just been used");
                });
                assertThat(stack.queries.messages(id)).hasSize(2);
                faulty.heal();
            }

            assertThat(stack.projection.stats().evicted()).isEqualTo(2);
            assertThat(stack.queries.messages(SessionId.of("a"))).hasSize(2);
        }

        @Test
        void begins_with_those_not_used_for_longest_and_ends_where_the_rest_fits() {
            CommandStack measure = start(CommandStack.reporting(store()));
            measure.commands.appendAll(measure.commands.create(header("one")), List.of(Drafts.say("some text")));
            long one = measure.projection.stats().liveBytes();
            CommandStack stack = start(CommandStack.reporting(store()).maxLiveBytes(10 * one));
            for (int i = 0; i < 30; i++) {
                stack.commands.appendAll(stack.commands.create(header("s" + i)), List.of(Drafts.say("some text")));
                assertThat(stack.projection.stats().liveBytes()).isLessThanOrEqualTo(10 * one);
            }

            assertThat(stack.projection.liveSessions()).isBetween(7, 10);
            assertThat(stack.projection.stats().evicted()).isEqualTo(30L - stack.projection.liveSessions());
        }

        @Test
        void of_all_leaves_no_bytes_behind() {
            Seeds.forEach(store() instanceof MemoryEventStore ? 30 : 4, seed -> {
                CommandStack stack = start(CommandStack.reporting(store()).maxLiveBytes(20_000));
                CommandStack there = start(CommandStack.reporting(storeOfAnotherProcess()));
                Random random = new Random(seed);
                List<SessionId> ids = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    ids.add(stack.commands.create(header("s" + seed + "-" + i)));
                }
                for (int step = 0; step < 40; step++) {
                    SessionId id = ids.get(random.nextInt(4));
                    switch (random.nextInt(6)) {
                        case 0 -> stack.projection.forget(id);
                        case 1 -> stack.queries.refresh(id);
                        case 2 -> there.commands.appendAll(id, List.of(Drafts.say("there " + step)));
                        case 3 -> stack.queries.surface(id);
                        default -> stack.commands.appendAll(id, List.of(Drafts.say("here " + step)));
                    }
                }
                long bytes = stack.projection.stats().liveBytes();
                assertThat(bytes).isNotNegative();
                ids.forEach(stack.projection::forget);
                assertThat(stack.projection.stats().liveBytes()).isZero();
            });
        }

        @Test
        void while_sessions_are_used_by_many_threads_does_not_fail() throws Exception {
            SurfaceProjection projection = new SurfaceProjection(store(), 40);
            CommandStack stack = start(CommandStack.reporting(store()));
            List<SessionId> ids = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                ids.add(stack.commands.create(header("s" + i)));
            }
            ExecutorService threads = Executors.newFixedThreadPool(4);
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Random random = new Random(t);
                running.add(threads.submit(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        assertThat(projection
                                        .surface(ids.get(random.nextInt(80)))
                                        .nextSeq())
                                .isZero();
                    }
                }));
            }
            for (Future<?> one : running) {
                one.get(Bounded.SECONDS, TimeUnit.SECONDS);
            }
            threads.shutdown();
            assertThat(projection.liveSessions()).isLessThanOrEqualTo(44);
        }
    }

    @Nested
    class Opening {

        @Test
        void while_an_append_is_committed_shows_the_append_when_it_is_answered() {
            CommandStack stack = start(CommandStack.reporting(faulty));
            SessionId id = stack.commands.create(header("s"));
            stack.commands.appendAll(id, List.of(Drafts.say("a")));
            CountDownLatch committing = new CountDownLatch(1);
            CountDownLatch commit = new CountDownLatch(1);
            faulty.beforeCommit(writes -> {
                committing.countDown();
                Bounded.await(commit);
            });
            CompletableFuture<Appended> append = stack.commands.appendAllAsync(id, List.of(Drafts.say("b")));
            Bounded.await(committing);
            stack.projection.forget(id); // it is cold while the append is staged

            // the opener has looked up the tail before the commit, and reads on after it
            Opener first = new Opener(stack, id);
            Opener second = new Opener(stack, id);
            faulty.afterFind(found -> {
                first.lookedUp();
                second.lookedUp();
            });
            first.thread.start();
            Bounded.await(first.lookedUp);
            second.thread.start();
            second.awaitWaiting();
            commit.countDown();
            assertThat(append.join().seq()).isEqualTo(1);

            first.goOn.countDown();
            Bounded.await(first.lookedAgain); // it has seen that it missed something
            first.goOnAgain.countDown();
            assertThat(first.answer.join().nextSeq()).isEqualTo(2);
            assertThat(second.answer.join().nextSeq()).isEqualTo(2);
            assertThat(second.lookedUp.getCount())
                    .as("the second has only waited")
                    .isEqualTo(1);
            assertThat(stack.queries.nextSeq(id)).isEqualTo(2);
        }

        @Test
        void by_many_at_once_reads_the_log_once() {
            CommandStack stack = start(CommandStack.reporting(faulty));
            SessionId id = stack.commands.create(header("s"), List.of());
            stack.projection.forget(id);
            CountDownLatch read = new CountDownLatch(1);
            AtomicInteger reads = new AtomicInteger();
            faulty.beforeEvents(reading -> {
                reads.incrementAndGet();
                Bounded.await(read);
            });
            List<Opener> openers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                openers.add(new Opener(stack, id));
                openers.get(i).thread.start();
            }
            openers.forEach(Opener::awaitWaiting);
            read.countDown();

            for (Opener opener : openers) {
                assertThat(opener.answer.join().nextSeq()).isEqualTo(1);
            }
            assertThat(reads).hasValue(1);
            assertThat(stack.projection.stats().openedFromLog()).isEqualTo(1);
        }

        @Test
        void that_fails_fails_for_all_who_wait() {
            CommandStack stack = start(CommandStack.reporting(faulty));
            SessionId id = stack.commands.create(header("s"), List.of());
            stack.projection.forget(id);
            CountDownLatch read = new CountDownLatch(1);
            faulty.beforeEvents(reading -> {
                Bounded.await(read);
                throw new StoreUnavailableException(StoreUnavailableException.Reason.IO, "no");
            });
            List<Opener> openers = List.of(new Opener(stack, id), new Opener(stack, id));
            openers.forEach(opener -> opener.thread.start());
            openers.forEach(Opener::awaitWaiting);
            read.countDown();

            for (Opener opener : openers) {
                assertThatThrownBy(opener.answer::join).hasCauseInstanceOf(StoreUnavailableException.class);
            }
        }

        /** Opens the session on a thread of its own, and waits whenever it has looked up the tail. */
        private static final class Opener {

            final CompletableFuture<Surface> answer = new CompletableFuture<>();
            final Thread thread;
            final CountDownLatch lookedUp = new CountDownLatch(1);
            final CountDownLatch goOn = new CountDownLatch(1);
            final CountDownLatch lookedAgain = new CountDownLatch(1);
            final CountDownLatch goOnAgain = new CountDownLatch(1);

            Opener(CommandStack stack, SessionId id) {
                thread = new Thread(() -> {
                    try {
                        answer.complete(stack.queries.surface(id));
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                });
            }

            void lookedUp() {
                if (Thread.currentThread() != thread) {
                    return;
                }
                boolean again = lookedUp.getCount() == 0;
                (again ? lookedAgain : lookedUp).countDown();
                Bounded.await(again ? goOnAgain : goOn);
            }

            void awaitWaiting() {
                Bounded.until(() ->
                        thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
            }
        }

        @Test
        void that_fails_is_tried_again_by_the_next_look() {
            CommandStack stack = start(CommandStack.reporting(faulty));
            SessionId id = stack.commands.create(header("s"), List.of());
            stack.projection.forget(id);
            faulty.beforeEvents(read -> {
                throw new StoreUnavailableException(StoreUnavailableException.Reason.IO, "no");
            });
            assertThatThrownBy(() -> stack.queries.surface(id)).isInstanceOf(StoreUnavailableException.class);
            assertThat(stack.projection.liveSessions()).isZero();
            faulty.heal();

            assertThat(stack.queries.nextSeq(id)).isEqualTo(1);
        }

        @Test
        void of_an_unknown_session_is_refused_and_leaves_nothing_live() {
            CommandStack stack = start(CommandStack.reporting(store()));
            SessionId unknown = SessionId.of("unknown");

            for (Runnable look : List.<Runnable>of(
                    () -> stack.queries.surface(unknown),
                    () -> stack.queries.header(unknown),
                    () -> stack.queries.refresh(unknown),
                    () -> stack.queries.messages(unknown),
                    () -> stack.queries.event(unknown, 0),
                    () -> stack.queries.event(unknown, -1),
                    () -> stack.queries.events(unknown, 0, 1),
                    () -> stack.queries.tail(unknown, 1),
                    () -> stack.queries.transcript(unknown),
                    () -> stack.queries.surfaceAsOf(unknown, 0),
                    () -> stack.queries.provenance(unknown, 0))) {
                assertThatExceptionOfType(UnknownSessionException.class).isThrownBy(look::run);
            }
            assertThat(stack.projection.liveSessions()).isZero();
        }
    }

    @Nested
    class TheSurface {

        @Test
        void never_moves_back() {
            CommandStack stack = start(CommandStack.reporting(store()));
            SessionId id = stack.commands.create(header("s"), List.of());
            stack.commands.appendAll(id, List.of(Drafts.say("a"), Drafts.say("b")));
            SurfaceChange created = Surface.empty().plan(stored(id).subList(0, 1));

            stack.projection.created(header("s"), created);
            stack.projection.apply(id, created);

            assertThat(stack.queries.nextSeq(id)).isEqualTo(3);
        }

        @Test
        void that_missed_something_is_opened_again() {
            CommandStack stack = start(CommandStack.reporting(store()));
            CommandStack there = start(CommandStack.reporting(storeOfAnotherProcess()));
            SessionId id = stack.commands.create(header("s"));
            there.commands.append(id, TurnStart.of(1));
            List<SessionEvent> log = LogBuilder.log().turnStart(1).user("x").events();
            SurfaceChange second = fold(log.subList(0, 1)).plan(log.subList(1, 2));
            there.commands.appendAll(id, List.of(Drafts.of(log.get(1))));

            stack.projection.apply(id, second); // without the first

            assertThat(stack.queries.nextSeq(id)).isEqualTo(2);
        }

        @Test
        void that_is_ahead_of_the_store_gives_way_to_what_is_stored() {
            CommandStack stack = start(CommandStack.reporting(store()));
            SessionId id = stack.commands.create(header("s"));
            stack.projection.apply(
                    id, Surface.empty().plan(LogBuilder.log().user("lost").events()));
            assertThat(stack.queries.nextSeq(id)).isEqualTo(1);

            assertThat(stack.commands.appendAll(id, List.of(Drafts.say("kept"))).seq())
                    .isZero();
            assertThat(stack.queries.messages(id)).extracting(m -> m.text()).containsExactly("kept");
        }
    }

    @Nested
    class Events {

        @Test
        void are_found_by_seq_and_by_range() {
            CommandStack stack = start(CommandStack.reporting(store()));
            SessionId id = stack.commands.create(header("s"));
            List<SessionEvent> log = SessionGenerator.any(3).log(30);
            stack.commands.appendAll(id, Drafts.of(log));

            assertThat(stack.queries.event(id, 7)).isEqualTo(log.get(7));
            assertThat(stack.queries.events(id, 3, 9)).isEqualTo(log.subList(3, 9));
            assertThat(stack.queries.events(id, 25, 99)).isEqualTo(log.subList(25, 30));
            assertThat(stack.queries.tail(id, 4)).isEqualTo(log.subList(26, 30));
            assertThat(stack.queries.tail(id, 400)).isEqualTo(log);
            AtomicInteger seen = new AtomicInteger();
            stack.queries.forEach(id, event -> assertThat(event).isEqualTo(log.get(seen.getAndIncrement())));
            assertThat(seen).hasValue(30);
            for (long none : new long[] {-1, 30, Long.MAX_VALUE}) {
                assertThatExceptionOfType(UnknownEventException.class)
                        .isThrownBy(() -> stack.queries.event(id, none))
                        .satisfies(e -> assertThat(e.seq()).isEqualTo(none))
                        .satisfies(e -> assertThat(e.nextSeq()).isEqualTo(30));
            }
        }
    }
}
