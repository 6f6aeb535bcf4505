package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.surface.Finding;
import io.surfacelog.surface.StructureException;
import io.surfacelog.surface.StructureRule;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is enforced on append unless somebody has said otherwise, and at which doors it is not. */
class EnforcedAppendsTest extends StoreSuite {

    private static final List<SessionEvent> ILL_FORMED =
            LogBuilder.log().turnStart(1).turnStart(2).turnEnd().events();

    private FaultyStore faulty;
    private CommandStack stack;
    private SessionId id;

    @BeforeEach
    void createSession() {
        faulty = new FaultyStore(store());
        stack = start(CommandStack.on(faulty));
        id = stack.commands.create(header("s"));
    }

    private static void refused(Runnable append, StructureRule rule, long at) {
        assertThatExceptionOfType(StructureException.class)
                .isThrownBy(append::run)
                .satisfies(e -> {
                    assertThat(e.rule()).isEqualTo(rule);
                    assertThat(e.at()).isEqualTo(at);
                });
    }

    private static EventDraft turnEnd(long turn) {
        return EventDraft.of(TurnEnd.of(turn, TurnEndReason.completed()));
    }

    @Nested
    class AnAppendToAStructuredSession {

        @Test
        void that_is_refused_for_one_whose_commit_then_fails_is_planned_again() {
            stack.commands.appendAll(id, List.of(EventDraft.of(TurnStart.of(1)), turnEnd(1)));
            CountDownLatch planned = new CountDownLatch(1);
            CountDownLatch committing = new CountDownLatch(1);
            AtomicBoolean fails = new AtomicBoolean(true);
            faulty.beforeCommit(writes -> {
                if (fails.getAndSet(false)) {
                    committing.countDown();
                    Bounded.await(planned);
                    throw new StoreUnavailableException(StoreUnavailableException.Reason.DISK_FULL, "the disk is full");
                }
            });
            CompletableFuture<Appended> first = Aside.supply(() -> stack.commands.append(id, TurnStart.of(2)));
            Bounded.await(committing);

            Appended second = stack.commands.appendAll(id, next -> {
                planned.countDown();
                return List.of(EventDraft.of(TurnStart.of(2)));
            });

            assertThat(second.seq()).isEqualTo(2);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(first::join)
                    .withCauseInstanceOf(StoreUnavailableException.class);
        }

        @Test
        void that_would_be_its_first_finding_is_refused_with_the_rule_and_the_index_and_stores_nothing() {
            stack.commands.append(id, TurnStart.of(1));

            refused(() -> stack.commands.append(id, TurnStart.of(2)), StructureRule.TURN_ALREADY_OPEN, 1);
            refused(
                    () -> stack.commands.appendAll(
                            id, List.of(Drafts.say("hi"), turnEnd(1), EventDraft.of(TurnStart.of(3)))),
                    StructureRule.TURN_NUMBER,
                    3);

            assertThat(storedNextSeq(id)).isEqualTo(1);
            assertThat(stack.queries.surface(id).findings()).isEmpty();
            assertThat(stack.commands
                            .appendAll(id, List.of(turnEnd(1), EventDraft.of(TurnStart.of(2))))
                            .nextSeq())
                    .isEqualTo(3);
        }

        @Test
        void is_refused_at_once_where_nobody_waits_for_its_commit() {
            stack.commands.append(id, TurnStart.of(1));

            assertThat(stack.commands.appendAsync(id, TurnStart.of(2))).isCompletedExceptionally();
        }

        @Test
        void is_refused_for_what_another_process_was_faster_with() {
            CommandStack there = startAnotherProcess();
            faulty.beforeCommit(writes -> {
                faulty.heal();
                there.commands.append(id, TurnStart.of(1));
            });

            refused(() -> stack.commands.append(id, TurnStart.of(1)), StructureRule.TURN_ALREADY_OPEN, 1);
            assertThat(storedNextSeq(id)).isEqualTo(1);
        }

        @Test
        void is_let_in_whatever_it_is_once_something_was_found() {
            SessionId ill = stack.commands.create(header("ill"), candidates(ILL_FORMED));

            stack.commands.append(ill, TurnStart.of(9));

            assertThat(stack.queries.surface(ill).findings())
                    .extracting(Finding::rule)
                    .containsExactly(StructureRule.TURN_ALREADY_OPEN, StructureRule.TURN_NUMBER);
        }
    }

    @Test
    void a_session_without_a_turn_is_not_held_to_any_structure() {
        List<SessionEvent> stray = LogBuilder.log().toolResult("c1").events();

        stack.commands.appendAll(id, Drafts.of(stray));

        assertThat(stack.queries.surface(id).findings())
                .extracting(Finding::rule)
                .containsExactly(StructureRule.CALL_RESULT_WITHOUT_CALL);
    }

    @Test
    void seeds_imports_and_forks_of_ill_formed_logs_are_taken_and_reported() {
        SessionId seeded = stack.commands.create(header("seeded"), candidates(ILL_FORMED));
        SessionId imported = stack.commands
                .importLog(new ImportSession(
                        header("imported"),
                        candidates(ILL_FORMED).iterator(),
                        io.surfacelog.event.EventTypes.standard()))
                .session();
        SessionId forked = stack.commands.fork(seeded).session();

        for (SessionId each : List.of(seeded, imported, forked)) {
            assertThat(stack.queries.surface(each).findings()).hasSize(1);
        }
    }

    @Test
    void a_driver_whose_lease_is_lost_hears_of_that_and_not_of_what_the_next_one_has_made_of_the_log() {
        CommandStack there = startAnotherProcess();
        for (CommandStack next : List.of(stack, there)) {
            SessionId driven = stack.commands.create(header("driven-" + (next == there)));
            DriverLease late = stack.commands.drive(driven);
            late.append(TurnStart.of(1));
            late.append(StepStart.of(1, 1));
            DriverLease holder = next.commands.drive(DriveSession.forced(driven));

            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> late.append(StepEnd.of(1, 1)));
            assertThat(late.isHeld()).isFalse();
            refused(() -> holder.append(StepEnd.of(1, 1)), StructureRule.TURN_NOT_OPEN, 4);
            holder.close();
        }
    }
}
