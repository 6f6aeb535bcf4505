package io.surfacelog.projection;

import static io.surfacelog.projection.SurfaceAssertions.assertSame;
import static io.surfacelog.projection.SurfaceAssertions.fold;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.FaultyStore;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.LogBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** When checkpoints are written, what happens to bad ones, and that nothing depends on them. */
class CheckpointsTest extends StoreSuite {

    private FaultyStore faulty;

    @BeforeEach
    void wrapStore() {
        faulty = new FaultyStore(store());
    }

    private static List<EventDraft> said(int count) {
        List<EventDraft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            drafts.add(Drafts.say("message " + i));
        }
        return drafts;
    }

    private long checkpointed(SessionId id) {
        return store().checkpoint(id).map(StoredCheckpoint::nextSeq).orElse(-1L);
    }

    private void forge(SessionId id, StoredCheckpoint checkpoint) {
        store().dropCheckpoints(id);
        assertThat(store().saveCheckpoint(id, checkpoint)).isTrue();
    }

    @Nested
    class Writing {

        @Test
        void happens_behind_the_append_that_makes_it_due() {
            CommandStack stack = start(CommandStack.reporting(store()).checkpointsEvery(10));
            SessionId id = stack.commands.create(header("s"));
            stack.commands.appendAll(id, said(9));
            stack.commands.appendAll(
                    id,
                    Drafts.of(LogBuilder.log()
                            .chunk(StreamChunk.text(0, "a"))
                            .chunk(StreamChunk.text(0, "b"))
                            .events()));
            assertThat(stack.projection.stats().checkpointsWritten()).isZero();
            assertThat(checkpointed(id)).isEqualTo(-1);

            stack.commands.appendAll(id, said(1));

            Bounded.until(() -> checkpointed(id) == 12);
            assertThat(stack.projection.stats().checkpointsWritten()).isEqualTo(1);
        }

        @Test
        void of_a_large_surface_happens_when_a_quarter_of_it_is_new() {
            CommandStack stack = start(CommandStack.reporting(store()).checkpointsEvery(4));
            SessionId id = stack.commands.create(header("s"));
            stack.commands.appendAll(id, said(400));
            Bounded.until(() -> checkpointed(id) == 400);

            stack.commands.appendAll(id, said(130));
            assertThat(stack.projection.stats().checkpointsWritten()).isEqualTo(1);
            stack.commands.appendAll(id, said(10));

            Bounded.until(() -> checkpointed(id) == 540);
        }

        @Test
        void holds_up_no_append_and_is_done_once_for_what_came_meanwhile() {
            CommandStack stack = start(CommandStack.reporting(faulty).checkpointsEvery(1));
            SessionId id = stack.commands.create(header("s"));
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            List<Long> saved = new CopyOnWriteArrayList<>();
            faulty.beforeSave(checkpoint -> {
                saved.add(checkpoint.nextSeq());
                begun.countDown();
                Bounded.await(goOn);
            });
            stack.commands.appendAll(id, said(1));
            Bounded.await(begun);
            for (int i = 0; i < 20; i++) {
                stack.commands.appendAll(id, said(1));
            }
            goOn.countDown();

            Bounded.until(() -> saved.size() == 2 && checkpointed(id) == saved.get(1));
            assertThat(saved.get(0)).isEqualTo(1);
            assertThat(saved.get(1)).as("the last that was due").isGreaterThan(15);
        }

        @Test
        void happens_when_a_session_leaves_memory_and_when_everything_ends() {
            CommandStack stack =
                    start(CommandStack.reporting(store()).checkpointsEvery(20).maxLiveSessions(1));
            SessionId grown = stack.commands.create(header("grown"));
            stack.commands.appendAll(grown, said(6));
            SessionId barely = stack.commands.create(header("barely")); // grown has to leave
            stack.commands.appendAll(barely, said(2));
            SessionId last = stack.commands.create(header("last"));
            stack.commands.appendAll(last, said(7));
            Bounded.until(() -> checkpointed(grown) == 6);
            stack.close();

            assertThat(checkpointed(last)).isEqualTo(7);
            assertThat(checkpointed(barely)).isEqualTo(-1);
        }

        @Test
        void happens_after_an_opening_that_had_to_fold_much_and_not_after_another() {
            CommandStack stack = start(CommandStack.reporting(store()).checkpointsEvery(1_000));
            SessionId much = stack.commands.create(header("much"));
            stack.commands.appendAll(much, said(50));
            SessionId little = stack.commands.create(header("little"));
            stack.commands.appendAll(little, said(10));

            CommandStack other = start(CommandStack.reporting(store()).checkpointsEvery(50));
            other.queries.surface(much);
            other.queries.surface(little);
            Bounded.until(() -> checkpointed(much) == 50);
            other.close();

            assertThat(checkpointed(little)).isEqualTo(-1);
            CommandStack third = start(CommandStack.reporting(store()).checkpointsEvery(50));
            assertSame(third.queries.surface(much), fold(stored(much)), "from the checkpoint");
            assertThat(third.projection.stats().openedFromCheckpoint()).isEqualTo(1);
            third.close();
            assertThat(third.projection.stats().checkpointsWritten()).isZero();
        }

        @Test
        void that_fails_is_told_once_and_harms_nothing() {
            Logger logger = (Logger) LoggerFactory.getLogger(CheckpointWriter.class);
            ListAppender<ILoggingEvent> told = new ListAppender<>();
            told.start();
            logger.addAppender(told);
            try {
                faulty.beforeSave(checkpoint -> {
                    throw new StoreUnavailableException(StoreUnavailableException.Reason.DISK_FULL, "full");
                });
                CommandStack stack = start(CommandStack.reporting(faulty).checkpointsEvery(1));
                SessionId id = stack.commands.create(header("s"));
                for (int i = 0; i < 30; i++) {
                    stack.commands.appendAll(id, said(1));
                }
                stack.close();
                assertThat(stack.projection.stats().checkpointsWritten()).isZero();
                assertThat(told.list)
                        .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                        .hasSize(1);
                assertThat(stored(id)).hasSize(30);
                assertSame(start(CommandStack.reporting(store())).queries.surface(id), fold(stored(id)), "without");
            } finally {
                logger.detachAppender(told);
            }
        }
    }

    @Nested
    class ChunksThatStray {

        private final List<SessionEvent> log = LogBuilder.log()
                .turnStart(1)
                .chunk(StreamChunk.text(0, "of no step"))
                .stepStart(1)
                .chunk(StreamChunk.text(0, "in place"))
                .at(1, 7)
                .chunk(StreamChunk.text(0, "of another"))
                .events();

        @Test
        void are_committed_with_a_checkpoint_the_first_time() {
            CommandStack stack = start(CommandStack.reporting(store()).checkpointsEvery(1_000));
            SessionId id = stack.commands.create(header("s"));
            stack.commands.appendAll(id, Drafts.of(log.subList(0, 1)));
            assertThat(checkpointed(id)).isEqualTo(-1);

            stack.commands.appendAll(id, Drafts.of(log.subList(1, 2)));
            assertThat(checkpointed(id)).isEqualTo(2);
            stack.commands.appendAll(id, Drafts.of(log.subList(2, 5)));
            assertThat(checkpointed(id)).isEqualTo(2);

            Surface opened = start(CommandStack.reporting(store())).queries.surface(id);
            assertSame(opened, fold(log), "opened");
            assertThat(opened.findings()).hasSize(2);
        }

        @Test
        void come_with_a_checkpoint_when_a_log_is_created_whole() {
            SessionId id = start(CommandStack.reporting(store())).commands.create(header("s"), candidates(log));

            assertThat(checkpointed(id)).isEqualTo(storedNextSeq(id));
        }
    }

    @Nested
    class ABadCheckpoint {

        private SessionId id;

        @BeforeEach
        void writeSession() {
            CommandStack stack = start(CommandStack.reporting(store()).checkpointsEvery(1_000));
            id = stack.commands.create(header("s"));
            stack.commands.appendAll(
                    id,
                    Drafts.of(LogBuilder.log()
                            .turnStart(1)
                            .user("a")
                            .user("b")
                            .turnEnd()
                            .user("c")
                            .events()));
        }

        private byte[] state(int length) {
            return CheckpointWriter.checkpoint(fold(stored(id).subList(0, length)))
                    .state();
        }

        private List<StoredCheckpoint> unusable() {
            byte[] otherVersion = state(5);
            otherVersion[0] = 77;
            byte[] ofAnotherLog = CheckpointWriter.checkpoint(
                            LogBuilder.log().user("x").surface())
                    .state();
            return List.of(
                    new StoredCheckpoint(5, otherVersion),
                    new StoredCheckpoint(5, new byte[0]),
                    new StoredCheckpoint(5, new byte[] {1, 2, 3}),
                    new StoredCheckpoint(4, state(5)),
                    new StoredCheckpoint(1, ofAnotherLog));
        }

        @Test
        void that_cannot_be_used_is_passed_over_and_replaced() {
            for (StoredCheckpoint bad : unusable()) {
                forge(id, bad);
                CommandStack stack = start(CommandStack.reporting(store()));

                assertSame(stack.queries.surface(id), fold(stored(id)), bad.toString());
                assertThat(stack.projection.stats().openedFromLog()).isEqualTo(1);
                assertThat(stack.queries.surfaceAsOf(id, 3).nodeSeqs()).containsExactly(1, 2);
                stack.close();
                assertThat(store().checkpoint(id)).contains(new StoredCheckpoint(5, state(5)));
            }
        }

        @Test
        void on_which_the_log_cannot_be_folded_on_is_passed_over() {
            CommandStack stack = start(CommandStack.reporting(store()).checkpointsEvery(1_000));
            stack.commands.appendAll(
                    id,
                    List.of(EventDraft.of(
                            LogBuilder.userMessage("d"),
                            SurfaceIntent.replace(1, 2).citing(1, 2))));
            Surface wrong = LogBuilder.log().turnStart(1).turnEnd().turnStart(2).surface();
            forge(id, CheckpointWriter.checkpoint(wrong));

            assertSame(start(CommandStack.reporting(store())).queries.surface(id), fold(stored(id)), "opened");
        }

        @Test
        void is_a_fault_that_rebuild_mends() {
            Surface wrong = LogBuilder.log()
                    .turnStart(1)
                    .turnEnd()
                    .turnStart(2)
                    .turnEnd()
                    .turnStart(3)
                    .surface();
            List<StoredCheckpoint> bad = new ArrayList<>(unusable());
            bad.add(CheckpointWriter.checkpoint(wrong));
            for (StoredCheckpoint one : bad) {
                forge(id, one);
                SurfaceProjection projection = new SurfaceProjection(store(), 10);
                SessionVerifier verifier = new SessionVerifier(store(), projection);

                assertThat(verifier.verify(id).faults())
                        .as(one.toString())
                        .isNotEmpty()
                        .first()
                        .satisfies(fault -> assertThat(fault.where()).isEqualTo("checkpoint"));
                assertThat(verifier.rebuild(id)).isEqualTo(OptionalLong.of(5));
                assertThat(verifier.verify(id).faults()).isEmpty();
                assertSame(projection.surface(id), fold(stored(id)), "after rebuilding");
                projection.close();
            }
            assertThat(store().checkpoint(id)).isEqualTo(Optional.of(new StoredCheckpoint(5, state(5))));
        }
    }
}
