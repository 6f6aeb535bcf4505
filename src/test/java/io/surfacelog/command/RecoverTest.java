package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.surface.Closers;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.LogBuilder;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Recovery closes what a crash left open, when asked and never else. */
class RecoverTest extends StoreSuite {

    private static final SessionId ID = SessionId.of("s");

    private CommandStack stack;

    @BeforeEach
    void startStack() {
        stack = start();
    }

    /** A crash in mid-stream, after an earlier step whose call nobody answered. */
    private static List<SessionEvent> crashed() {
        return LogBuilder.log()
                .turnStart(1)
                .user("hi")
                .stepStart(1)
                .assistant(LogBuilder.call("orphan"))
                .stepEnd()
                .stepStart(2)
                .chunk(StreamChunk.text(0, "half an ans"))
                .events();
    }

    private void store(SessionId id, List<SessionEvent> log) {
        stack.commands.create(CreateSession.imported(header(id.value()), candidates(log), EventTypes.standard()));
    }

    private static List<String> types(List<SessionEvent> events) {
        return events.stream().map(SessionEvent::type).toList();
    }

    @Nested
    class Closing {

        @Test
        void appends_the_closers_in_one_commit_and_then_nothing_more() {
            store(ID, crashed());
            long position = stack.store.lastPosition();

            Appended recovered = stack.commands.recover(ID);

            assertThat(types(recovered.events()))
                    .containsExactly(
                            EventType.TOOL_RESULT, EventType.ASSISTANT_MESSAGE, EventType.STEP_END, EventType.TURN_END);
            assertThat(recovered.firstSeq()).isEqualTo(7);
            assertThat(stack.store.lastPosition()).isEqualTo(position + 1);
            assertThat(stack.queries.surface(ID).hasOpenTurn()).isFalse();

            Appended again = stack.commands.recover(ID);
            assertThat(again.events()).isEmpty();
            assertThat(again.nextSeq()).isEqualTo(11);
            assertThat(stack.store.lastPosition()).isEqualTo(position + 1);
        }

        @Test
        void obeys_both_switches() {
            store(ID, crashed());
            store(SessionId.of("t"), crashed());
            store(SessionId.of("u"), crashed());

            assertThat(types(start(CommandStack.on(store()).recovery(false, false))
                            .commands
                            .recover(ID)
                            .events()))
                    .containsExactly(EventType.STEP_END, EventType.TURN_END);
            assertThat(types(start(CommandStack.on(store()).recovery(true, false))
                            .commands
                            .recover(SessionId.of("t"))
                            .events()))
                    .containsExactly(EventType.ASSISTANT_MESSAGE, EventType.STEP_END, EventType.TURN_END);
            assertThat(types(start(CommandStack.on(store()).recovery(false, true))
                            .commands
                            .recover(SessionId.of("u"))
                            .events()))
                    .containsExactly(EventType.TOOL_RESULT, EventType.STEP_END, EventType.TURN_END);
        }

        @Test
        void of_a_balanced_log_writes_nothing() {
            store(ID, LogBuilder.log().turnStart(1).user("hi").turnEnd().events());
            long position = stack.store.lastPosition();

            assertThat(stack.commands.recover(ID).events()).isEmpty();
            assertThat(stack.store.lastPosition()).isEqualTo(position);
        }

        @Test
        void gives_what_the_pure_function_gives_for_any_log() {
            Seeds.forEach(kind == StoreKind.MEMORY ? 60 : 10, seed -> {
                List<SessionEvent> log = SessionGenerator.any(seed).log();
                SessionId id = SessionId.of("s" + seed);
                store(id, log);
                Surface surface = Surface.empty().plan(log).after();

                List<SessionEvent> closers = stack.commands.recover(id).events();

                assertThat(closers).isEqualTo(Closers.of(surface, LogReader.of(log), RecoverySettings.defaults()));
                assertThat(stack.commands.recover(id).events()).isEmpty();
            });
        }

        @Test
        void is_not_refused_by_a_structure_that_is_enforced() {
            Seeds.forEach(kind == StoreKind.MEMORY ? 30 : 4, seed -> {
                List<SessionEvent> log = SessionGenerator.structured(seed).log();
                SessionId id = SessionId.of("s" + seed);
                store(id, log);

                start(CommandStack.on(store()).structure(StructureMode.ENFORCE))
                        .commands
                        .recover(id);

                assertThat(stack.queries.refresh(id).hasOpenTurn()).isFalse();
            });
        }

        @Test
        void leaves_text_that_no_one_event_may_hold_in_its_chunks() {
            CommandStack limited = start(CommandStack.on(store()).limits(new EventLimits(1_024)));
            LogBuilder log = LogBuilder.log().turnStart(1).stepStart(1);
            for (int i = 0; i < 4; i++) {
                log.chunk(StreamChunk.text(0, "x".repeat(500)));
            }
            store(ID, log.events());

            assertThat(types(limited.commands.recover(ID).events()))
                    .containsExactly(EventType.STEP_END, EventType.TURN_END);
        }
    }

    @Nested
    class NeverElse {

        @Test
        void is_anything_closed_by_appending_reading_eviction_or_a_restart() {
            CommandStack small = start(CommandStack.on(store()).maxLiveSessions(1));
            store(ID, crashed());
            store(SessionId.of("t"), crashed());

            for (int i = 0; i < 3; i++) {
                small.queries.messages(ID);
                small.queries.transcript(SessionId.of("t"));
                small.queries.surface(SessionId.of("t"));
            }
            small.commands.append(ID, LogBuilder.userMessage("more"), SurfaceIntent.append());
            startAnotherProcess().queries.surface(ID);

            assertThat(types(stored(ID))).endsWith(EventType.ASSISTANT_CHUNK, EventType.USER_MESSAGE);
            assertThat(stored(SessionId.of("t"))).isEqualTo(crashed());
        }
    }

    @Nested
    class AtOnce {

        @Test
        void by_many_threads_of_two_processes_writes_the_closers_once() throws Exception {
            CommandStack other = startAnotherProcess();
            ExecutorService threads = Executors.newFixedThreadPool(8);
            try {
                for (int round = 0; round < 10; round++) {
                    SessionId id = SessionId.of("s" + round);
                    store(id, crashed());
                    List<Future<Appended>> all = new ArrayList<>();
                    for (int i = 0; i < 16; i++) {
                        SessionCommands commands = i % 2 == 0 ? stack.commands : other.commands;
                        all.add(threads.submit(() -> commands.recover(id)));
                    }
                    int writers = 0;
                    for (Future<Appended> one : all) {
                        Appended recovered = one.get(Bounded.SECONDS, TimeUnit.SECONDS);
                        assertThat(recovered.nextSeq()).isEqualTo(11);
                        writers += recovered.events().isEmpty() ? 0 : 1;
                    }
                    assertThat(writers).isEqualTo(1);
                    assertThat(storedNextSeq(id)).isEqualTo(11);
                }
            } finally {
                threads.shutdown();
            }
        }

        @Test
        void as_an_append_that_is_staged_takes_that_append_in() {
            FaultyStore faulty = new FaultyStore(store());
            CommandStack held = start(CommandStack.on(faulty));
            store(ID, crashed());
            CountDownLatch committing = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            faulty.beforeCommit(writes -> {
                committing.countDown();
                Bounded.await(release);
            });
            CompletableFuture<Appended> append =
                    held.commands.appendAsync(ID, LogBuilder.userMessage("late"), SurfaceIntent.append());
            Bounded.await(committing);
            CompletableFuture<Appended> recover = Aside.supply(() -> held.commands.recover(ID));
            assertThat(recover).isNotDone();
            release.countDown();

            assertThat(append.join().seq()).isEqualTo(7);
            assertThat(recover.join().firstSeq()).isEqualTo(8);
            assertThat(stored(ID)).hasSize(12);
        }
    }

    @Test
    void an_append_after_recovery_goes_on_with_the_next_turn() {
        store(ID, crashed());
        stack.commands.recover(ID);

        assertThat(stack.commands.append(ID, TurnStart.of(2)).seq()).isEqualTo(11);
    }
}
