package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.WriteOutcome;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.LogBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Whatever the store does, every caller is answered and what is live is what is stored. */
class FailingStoreTest extends StoreSuite {

    private final StoreUnavailableException full = new StoreUnavailableException(Reason.DISK_FULL, "full");

    private FaultyStore faulty;
    private CommandStack stack;
    private SessionId id;
    private SessionId other;

    @BeforeEach
    void createSessions() {
        faulty = new FaultyStore(store());
        stack = start(CommandStack.on(faulty));
        id = stack.commands.create(header("s"), List.of());
        other = stack.commands.create(header("other"), List.of());
    }

    @AfterEach
    void theNextAppendWorksAndWhatIsLiveIsWhatIsStored() {
        faulty.heal();
        long nextSeq = storedNextSeq(id);
        assertThat(start(CommandStack.on(store()))
                        .commands
                        .appendAll(id, List.of(Drafts.say("next")))
                        .seq())
                .isEqualTo(nextSeq);
        Surface live = stack.queries.refresh(id);
        assertThat(live.nextSeq()).isEqualTo(storedNextSeq(id));
        assertThat(live.nodeSeqs())
                .isEqualTo(new SurfaceProjection(store(), 1).surface(id).nodeSeqs());
    }

    private CompletableFuture<Appended> say(SessionId session, String text) {
        return stack.commands.appendAllAsync(session, List.of(Drafts.say(text)));
    }

    private static void fail(Throwable failure) {
        FailingStoreTest.<RuntimeException>sneak(failure);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    @Nested
    class ACommitThatFails {

        @Test
        void fails_its_appends_and_those_staged_on_them_and_no_others() {
            HeldCommit held = new HeldCommit(faulty, () -> fail(full));
            CompletableFuture<Appended> inIt = say(id, "in it");
            held.awaitReached();
            CompletableFuture<Appended> onIt = say(id, "on it");
            CompletableFuture<Appended> onThat = say(id, "on that");
            CompletableFuture<Appended> elsewhere = say(other, "elsewhere");
            held.close();

            assertThatThrownBy(inIt::join).hasCause(full);
            assertThatThrownBy(onIt::join)
                    .hasCauseInstanceOf(AppendConflictException.class)
                    .hasRootCause(full);
            assertThatThrownBy(onThat::join).hasCauseInstanceOf(AppendConflictException.class);
            assertThat(elsewhere.join().seq()).isEqualTo(1);
            assertThat(stored(id)).hasSize(1);
            assertThat(stack.queries.nextSeq(id)).isEqualTo(1);
            assertThat(say(id, "next").join().seq()).isEqualTo(1);
        }

        @Test
        void fails_a_blocking_caller_with_the_failure_itself() {
            faulty.beforeCommit(writes -> fail(full));

            assertThatThrownBy(() -> stack.commands.append(id, TurnStart.of(1))).isSameAs(full);
        }

        @Test
        void leaves_no_session_that_it_should_have_created() {
            HeldCommit held = new HeldCommit(faulty, () -> fail(full));
            SessionId created = SessionId.of("new");
            CompletableFuture<SessionId> create = Aside.supply(() -> stack.commands.create(header("new")));
            held.awaitReached();
            CompletableFuture<Appended> onIt = say(created, "on it");
            held.close();

            assertThatThrownBy(create::join).hasCause(full);
            assertThatThrownBy(onIt::join).hasCauseInstanceOf(AppendConflictException.class);
            assertThat(stack.queries.exists(created)).isFalse();
            assertThatExceptionOfType(UnknownSessionException.class).isThrownBy(() -> stack.queries.surface(created));
            assertThat(stack.commands.create(header("new"))).isEqualTo(created);
        }

        @Test
        void with_an_error_or_an_exception_of_another_kind_strands_nobody() {
            for (Throwable odd : List.of(
                    new IllegalStateException("odd"), new AssertionError("odd"), new java.io.IOException("odd"))) {
                HeldCommit held = new HeldCommit(faulty, () -> fail(odd));
                CompletableFuture<Appended> inIt = say(id, "in it");
                held.awaitReached();
                CompletableFuture<Appended> onIt = say(id, "on it");
                held.close();

                assertThatThrownBy(inIt::join).hasCause(odd);
                assertThatThrownBy(onIt::join).hasCauseInstanceOf(AppendConflictException.class);
            }
            assertThat(say(id, "next").join().seq()).isEqualTo(1);
        }
    }

    @Nested
    class AnAnswer {

        @Test
        void that_lacks_outcomes_strands_nobody() {
            HeldCommit first = new HeldCommit(faulty);
            CompletableFuture<Appended> before = say(id, "before");
            first.awaitReached();
            CompletableFuture<Appended> one = say(id, "one");
            CompletableFuture<Appended> two = say(other, "two");
            faulty.afterCommit(outcomes -> outcomes.size() < 2 ? outcomes : outcomes.subList(0, 1));
            first.close();

            assertThat(before.join().seq()).isEqualTo(1);
            // whatever it answered, the store holds them
            assertThat(one.join().seq()).isEqualTo(2);
            assertThat(two.join().seq()).isEqualTo(1);
            assertThat(stack.queries.nextSeq(other)).isEqualTo(storedNextSeq(other));
        }

        @Test
        void of_damage_reaches_the_caller_as_damage_and_not_as_an_unknown_session() {
            StoreFault fault = new StoreFault(id, OptionalLong.of(0), "event", "checksum");
            faulty.insteadOfCommit(writes -> Optional.of(writes.stream()
                    .<WriteOutcome>map(write -> new WriteOutcome.Damaged(fault))
                    .toList()));

            assertThatExceptionOfType(DamagedStoreException.class)
                    .isThrownBy(() -> stack.commands.append(id, TurnStart.of(1)))
                    .satisfies(e -> assertThat(e.fault()).isEqualTo(fault));
            assertThat(stack.queries.nextSeq(id)).isEqualTo(1);
        }

        @Test
        void that_the_session_is_gone_fails_all_that_was_staged_in_it() {
            faulty.insteadOfCommit(writes -> Optional.of(writes.stream()
                    .<WriteOutcome>map(write -> new WriteOutcome.NoSuchSession())
                    .toList()));
            List<CompletableFuture<Appended>> all = List.of(say(id, "a"), say(id, "b"), say(id, "c"));

            assertThat(all)
                    .allSatisfy(one -> assertThatThrownBy(one::join).hasCauseInstanceOf(UnknownSessionException.class));
        }
    }

    @Nested
    class AReadThatFails {

        @Test
        void while_an_overtaken_append_is_planned_again_strands_nobody() {
            CommandStack there = startAnotherProcess();
            for (Throwable odd : List.of(full, new IllegalStateException("odd"), new AssertionError("odd"))) {
                HeldCommit held = new HeldCommit(faulty, () -> {
                    there.commands.appendAll(id, List.of(Drafts.say("there")));
                    faulty.afterFind(found -> fail(odd));
                });
                CompletableFuture<Appended> inIt = say(id, "in it");
                held.awaitReached();
                CompletableFuture<Appended> onIt = say(id, "on it");
                held.close();

                assertThatThrownBy(inIt::join).hasCause(odd);
                assertThatThrownBy(onIt::join).hasCause(odd);
                faulty.heal();
            }
            assertThat(stack.commands.append(id, TurnStart.of(1)).seq()).isEqualTo(4);
        }

        @Test
        void while_a_function_is_called_again_that_throws_an_error_strands_nobody() {
            CommandStack there = startAnotherProcess();
            HeldCommit held = new HeldCommit(faulty, () -> there.commands.append(id, TurnStart.of(1)));
            CompletableFuture<Appended> odd = stack.commands.appendAllAsync(id, next -> {
                if (next > 1) {
                    throw new StackOverflowError("mine");
                }
                return List.of(Drafts.say("x"));
            });
            held.awaitReached();
            CompletableFuture<Appended> onIt = say(id, "on it");
            held.close();

            assertThatThrownBy(odd::join).hasCauseInstanceOf(StackOverflowError.class);
            assertThat(onIt.join().seq()).isEqualTo(2);
        }

        @Test
        void while_a_session_is_opened_for_an_append_leaves_nothing_staged() {
            stack.projection.forget(id);
            faulty.beforeEvents(session -> fail(full));

            assertThatThrownBy(() -> stack.commands.append(id, TurnStart.of(1))).isSameAs(full);
            faulty.heal();
            assertThat(stack.commands.append(id, TurnStart.of(1)).seq()).isEqualTo(1);
        }

        @Test
        void is_planned_on_a_function_that_writes_when_it_is_called_again_and_is_refused() {
            CommandStack there = startAnotherProcess();
            HeldCommit held = new HeldCommit(faulty, () -> there.commands.append(id, TurnStart.of(1)));
            CompletableFuture<Appended> writing = stack.commands.appendAllAsync(id, next -> {
                if (next > 1) {
                    stack.commands.append(other, TurnStart.of(1));
                }
                return List.of(Drafts.say("x"));
            });
            held.awaitReached();
            held.close();

            assertThatThrownBy(writing::join).hasCauseInstanceOf(IllegalStateException.class);
            assertThat(storedNextSeq(other)).isEqualTo(1);
        }
    }

    @Nested
    class Closing {

        @Test
        void commits_what_was_let_in_and_lets_in_no_more() {
            HeldCommit held = new HeldCommit(faulty);
            List<CompletableFuture<Appended>> all = new ArrayList<>();
            all.add(say(id, "m0"));
            held.awaitReached();
            for (int i = 1; i < 50; i++) {
                all.add(say(id, "m" + i));
            }
            CompletableFuture<Void> closing = Aside.run(stack.commands::close);
            held.close();
            closing.join();

            for (int i = 0; i < 50; i++) {
                // those let in before it was closed are stored; it may have been closed before the last were made
                assertThat(all.get(i).join().seq()).isEqualTo(i + 1);
            }
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> stack.commands.append(id, TurnStart.of(1)))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
            CompletableFuture<Appended> late = say(id, "late");
            assertThatThrownBy(late::join).hasCauseInstanceOf(StoreUnavailableException.class);
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> stack.commands.create(header("late")));
            stack.commands.close();
            assertThat(stored(id)).hasSize(51);
            assertThat(stack.queries.nextSeq(id)).isEqualTo(51);
        }

        @Test
        void settles_what_another_process_overtakes_meanwhile() {
            CommandStack there = startAnotherProcess();
            HeldCommit held = new HeldCommit(faulty, () -> there.commands.append(id, TurnStart.of(1)));
            CompletableFuture<Appended> moved = say(id, "moved");
            held.awaitReached();
            CompletableFuture<Void> closing = Aside.run(stack.commands::close);
            held.close();
            closing.join();

            assertThat(moved.join().seq()).isEqualTo(2);
        }

        @Test
        void with_a_store_that_fails_fails_all_that_is_left() {
            HeldCommit held = new HeldCommit(faulty);
            CompletableFuture<Appended> first = say(id, "first");
            held.awaitReached();
            CompletableFuture<Appended> second =
                    stack.commands.appendAsync(other, LogBuilder.userMessage("second"), SurfaceIntent.append());
            faulty.beforeCommit(writes -> fail(full));
            held.close();
            stack.commands.close();

            assertThat(first.join().seq()).isEqualTo(1);
            assertThatThrownBy(second::join).hasCause(full);
        }
    }
}
