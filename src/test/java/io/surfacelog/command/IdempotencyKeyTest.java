package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.testing.LogBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** An append that is repeated under its key happens once. */
class IdempotencyKeyTest extends StoreSuite {

    private FaultyStore faulty;
    private CommandStack stack;
    private SessionCommands commands;
    private SessionId id;

    @BeforeEach
    void createSession() {
        faulty = new FaultyStore(store());
        stack = start(CommandStack.on(faulty));
        commands = stack.commands;
        id = commands.create(header("s"));
    }

    private AppendEvents order(String... texts) {
        return AppendEvents.to(id, List.of(texts).stream().map(Drafts::say).toList())
                .idempotencyKey("order-4711");
    }

    @Nested
    class WithTheSameContent {

        @Test
        void returns_the_first_result() {
            Appended first = commands.append(order("a", "b"));
            commands.append(id, TurnStart.of(1));

            Appended again = commands.append(order("a", "b"));

            assertThat(first.repeated()).isFalse();
            assertThat(again.repeated()).isTrue();
            assertThat(again.events()).isEqualTo(first.events());
            assertThat(again.nextSeq()).isEqualTo(2);
            assertThat(storedNextSeq(id)).isEqualTo(3);
        }

        @Test
        void returns_it_whatever_seq_is_expected_and_whatever_admission_would_say_now() {
            commands.append(id, LogBuilder.userMessage("x"), SurfaceIntent.append());
            AppendEvents replace = AppendEvents.to(
                            id,
                            List.of(EventDraft.of(
                                    LogBuilder.userMessage("y"),
                                    SurfaceIntent.replace(0, 0).citing(0))))
                    .idempotencyKey("k")
                    .expectingNextSeq(1);
            commands.append(replace);

            assertThat(commands.append(replace).repeated()).isTrue();
            assertThatExceptionOfType(StaleSeqException.class)
                    .isThrownBy(() -> commands.append(replace.idempotencyKey("another")));
        }

        @Test
        void returns_it_in_another_process_and_after_a_restart() {
            Appended first = commands.append(order("a"));
            CommandStack other = startAnotherProcess();
            assertThat(other.commands.append(order("a"))).isEqualTo(repeated(first));

            stack.close();
            assertThat(start().commands.append(order("a"))).isEqualTo(repeated(first));
            assertThat(storedNextSeq(id)).isEqualTo(1);
        }

        @Test
        void is_found_while_the_first_is_still_staged() {
            CountDownLatch committing = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            faulty.beforeCommit(writes -> {
                committing.countDown();
                Bounded.await(release);
            });
            CompletableFuture<Appended> blocker = commands.appendAsync(id, TurnStart.of(1));
            Bounded.await(committing);
            CompletableFuture<Appended> first = commands.appendAsync(order("a"));
            CompletableFuture<Appended> again = commands.appendAsync(order("a").expectingNextSeq(77));
            CompletableFuture<Appended> other = commands.appendAsync(order("b"));
            release.countDown();

            assertThat(again.join()).isEqualTo(repeated(first.join()));
            assertThatThrownBy(other::join).hasCauseInstanceOf(IdempotencyConflictException.class);
            assertThat(blocker.join().seq()).isZero();
            assertThat(storedNextSeq(id)).isEqualTo(2);
        }

        @Test
        void made_by_a_function_is_compared_where_it_stands() {
            AppendEvents byFunction = AppendEvents.to(
                            id,
                            next -> List.of(
                                    Drafts.say("a"),
                                    EventDraft.of(
                                            LogBuilder.userMessage("b"),
                                            SurfaceIntent.replace(next, next).citing(next))))
                    .idempotencyKey("k");
            commands.append(id, TurnStart.of(1));
            Appended first = commands.append(byFunction);

            assertThat(commands.append(byFunction)).isEqualTo(repeated(first));
        }

        @Test
        void made_by_many_at_once_is_stored_once() {
            CommandStack other = startAnotherProcess();
            List<CompletableFuture<Appended>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                all.add((i % 2 == 0 ? commands : other.commands).appendAsync(order("a", "b")));
            }

            assertThat(all).extracting(one -> one.join().firstSeq()).containsOnly(0L);
            assertThat(all).filteredOn(one -> !one.join().repeated()).hasSize(1);
            assertThat(storedNextSeq(id)).isEqualTo(2);
        }

        @Test
        void that_another_process_stores_between_look_up_and_plan_is_no_stale_seq() {
            CommandStack other = startAnotherProcess();
            AppendEvents append = order("a").expectingNextSeq(1);
            commands.append(id, LogBuilder.userMessage("x"), SurfaceIntent.append());
            other.commands.append(id, TurnStart.of(1));
            // here the live surface ends at 1 still: the append is planned, meets seq 2, and is looked up again
            faulty.beforeCommit(writes -> {
                faulty.heal();
                other.commands.append(order("a").expectingNextSeq(2));
            });

            assertThat(commands.append(append).repeated()).isTrue();
        }

        @Test
        void that_another_process_stores_after_it_was_looked_up_is_no_stale_seq() {
            CommandStack other = startAnotherProcess();
            other.commands.append(id, TurnStart.of(1));
            // here the live surface ends at 0 still: the append is refused, and looked up again before its caller is
            // told
            faulty.afterKeyed(() -> {
                faulty.heal();
                other.commands.append(order("a"));
            });

            assertThat(commands.append(order("a").expectingNextSeq(1)).repeated())
                    .isTrue();
        }
    }

    @Nested
    class WithOtherContent {

        @Test
        void is_a_conflict_that_says_what_the_key_was_used_for() {
            commands.append(id, TurnStart.of(1));
            commands.append(order("a", "b"));

            for (AppendEvents other : List.of(order("a"), order("a", "c"), order("a", "b", "c"), order("b", "a"))) {
                assertThatExceptionOfType(IdempotencyConflictException.class)
                        .isThrownBy(() -> commands.append(other))
                        .satisfies(e -> assertThat(e.key()).isEqualTo("order-4711"))
                        .satisfies(e -> assertThat(e.firstSeq()).isEqualTo(1))
                        .satisfies(e -> assertThat(e.count()).isEqualTo(2));
            }
            assertThat(storedNextSeq(id)).isEqualTo(3);
        }

        @Test
        void differs_by_intent_and_by_ignorable_but_not_by_time() {
            commands.append(id, LogBuilder.userMessage("x"), SurfaceIntent.append());
            commands.append(order("a"));

            assertThat(commands.append(
                                    AppendEvents.to(id, List.of(Drafts.say("a").at(5)))
                                            .idempotencyKey("order-4711"))
                            .repeated())
                    .isTrue();
            assertThatExceptionOfType(IdempotencyConflictException.class)
                    .isThrownBy(() -> commands.append(AppendEvents.to(
                                    id,
                                    List.of(EventDraft.of(
                                            LogBuilder.userMessage("a"),
                                            SurfaceIntent.append().citing(0))))
                            .idempotencyKey("order-4711")));
            assertThatExceptionOfType(IdempotencyConflictException.class)
                    .isThrownBy(() -> commands.append(
                            AppendEvents.to(id, List.of(Drafts.say("a").ignorable()))
                                    .idempotencyKey("order-4711")));
        }
    }

    @Nested
    class Keys {

        @Test
        void belong_to_their_session() {
            SessionId other = commands.create(header("other"));
            commands.append(order("a"));

            assertThat(commands.append(AppendEvents.to(other, List.of(Drafts.say("b")))
                                    .idempotencyKey("order-4711"))
                            .repeated())
                    .isFalse();
        }

        @Test
        void of_an_append_that_failed_are_free_again() {
            faulty.beforeCommit(writes -> {
                throw new StoreUnavailableException(StoreUnavailableException.Reason.DISK_FULL, "full");
            });
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> commands.append(order("a")));
            faulty.heal();

            assertThat(commands.append(order("b")).repeated()).isFalse();
        }

        @Test
        void must_not_be_empty() {
            assertThatThrownBy(() -> order("a").idempotencyKey("")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_repeat_whose_function_throws_when_it_is_compared_fails_its_caller_and_nobody_else() {
        CommandStack other = startAnotherProcess();
        commands.append(id, TurnStart.of(1));
        SessionId bystander = commands.create(header("bystander"));
        AppendEvents odd = AppendEvents.to(id, next -> {
                    if (next == 2) {
                        throw new IllegalStateException("not at 2");
                    }
                    return List.of(Drafts.say("a"));
                })
                .idempotencyKey("order-4711");
        // planned at 1; the key is found taken, at 2, inside the transaction only
        faulty.beforeCommit(writes -> {
            faulty.heal();
            other.commands.append(id, TurnEnd.of(1, TurnEndReason.completed()));
            other.commands.append(order("a"));
        });

        assertThatThrownBy(() -> commands.append(odd)).hasMessage("not at 2");
        assertThat(commands.append(bystander, TurnStart.of(1)).seq()).isZero();
        assertThat(commands.append(id, TurnStart.of(2)).seq()).isEqualTo(3);
    }

    private static Appended repeated(Appended first) {
        return new Appended(first.session(), first.events(), first.nextSeq(), true);
    }
}
