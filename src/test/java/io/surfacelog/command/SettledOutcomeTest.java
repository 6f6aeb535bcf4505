package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.stream.SessionEventCommitted;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.Aside;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A fault at the commit or after it: what the store holds decides, before anyone is answered. */
class SettledOutcomeTest extends StoreSuite {

    private final StoreUnavailableException lost = new StoreUnavailableException(Reason.IO, "the answer was lost");

    private final List<SessionEventCommitted> heard = new CopyOnWriteArrayList<>();
    private FaultyStore faulty;
    private CommandStack stack;
    private SessionId id;
    private SessionId other;

    @BeforeEach
    void createSessions() {
        faulty = new FaultyStore(store());
        stack = start(CommandStack.on(faulty).listener(heard::add));
        id = stack.commands.create(header("s"), List.of());
        other = stack.commands.create(header("other"), List.of());
    }

    private CompletableFuture<Appended> say(SessionId session, String text) {
        return stack.commands.appendAllAsync(session, List.of(Drafts.say(text)));
    }

    /** The next commit is stored, but its answer is lost. */
    private void loseTheNextAnswer() {
        faulty.afterCommit(outcomes -> {
            faulty.afterCommit(later -> later);
            throw lost;
        });
    }

    private void loseTheNextAnswerAndReadNothing() {
        faulty.afterCommit(outcomes -> {
            faulty.afterCommit(later -> later);
            faulty.afterFind(found -> {
                throw new StoreUnavailableException(Reason.IO, "cannot be read");
            });
            throw lost;
        });
    }

    private void liveIsStoredAndHeardOnce(SessionId session) {
        Surface stored = new SurfaceProjection(store(), 1).surface(session);
        assertThat(stack.queries.surface(session).nodeSeqs()).isEqualTo(stored.nodeSeqs());
        assertThat(stack.queries.nextSeq(session)).isEqualTo(stored.nextSeq());
        List<SessionEvent> log = stored(session);
        Awaitility.await()
                .atMost(Duration.ofSeconds(Bounded.SECONDS))
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(heard.stream()
                                .filter(one -> one.session().equals(session))
                                .map(SessionEventCommitted::event))
                        .isEqualTo(log));
    }

    @Nested
    class WhatIsStored {

        @Test
        void is_answered_as_stored_applied_and_heard_once() {
            loseTheNextAnswer();
            Appended appended = stack.commands.append(id, TurnStart.of(1));

            assertThat(appended.seq()).isEqualTo(1);
            assertThat(stack.commands
                            .append(id, TurnEnd.of(1, TurnEndReason.completed()))
                            .seq())
                    .isEqualTo(2);
            liveIsStoredAndHeardOnce(id);
        }

        @Test
        void lets_what_is_staged_on_it_go_on() {
            HeldCommit held = new HeldCommit(faulty, SettledOutcomeTest.this::loseTheNextAnswer);
            CompletableFuture<Appended> inIt = say(id, "in it");
            held.awaitReached();
            CompletableFuture<Appended> onIt = say(id, "on it");
            CompletableFuture<Appended> elsewhere = say(other, "elsewhere");
            held.close();

            assertThat(inIt.join().seq()).isEqualTo(1);
            assertThat(onIt.join().seq()).isEqualTo(2);
            assertThat(elsewhere.join().seq()).isEqualTo(1);
            liveIsStoredAndHeardOnce(id);
            liveIsStoredAndHeardOnce(other);
        }

        @Test
        void of_several_sessions_with_keys_and_a_creation_is_settled_for_each() {
            HeldCommit held = new HeldCommit(faulty);
            CompletableFuture<Appended> first = say(id, "first");
            held.awaitReached();
            long inIt = ((DefaultSessionCommands) stack.commands).queuedBytes();
            CompletableFuture<SessionId> created = Aside.supply(() -> stack.commands.create(header("new"), List.of()));
            Awaitility.await().until(() -> ((DefaultSessionCommands) stack.commands).queuedBytes() > inIt);
            AppendEvents keyed =
                    AppendEvents.to(other, List.of(Drafts.say("keyed"))).idempotencyKey("k");
            CompletableFuture<Appended> key = stack.commands.appendAsync(keyed);
            CompletableFuture<Appended> second = say(id, "second");
            CompletableFuture<Appended> third = say(id, "third");
            faulty.afterCommit(outcomes -> {
                loseTheNextAnswer();
                return outcomes;
            });
            held.close();

            assertThat(first.join().seq()).isEqualTo(1);
            assertThat(created.join()).isEqualTo(SessionId.of("new"));
            assertThat(key.join().repeated()).isFalse();
            assertThat(second.join().seq()).isEqualTo(2);
            assertThat(third.join().seq()).isEqualTo(3);
            assertThat(stack.commands.append(keyed).repeated()).isTrue();
            for (SessionId one : List.of(id, other, SessionId.of("new"))) {
                liveIsStoredAndHeardOnce(one);
            }
        }

        @Test
        void of_a_recovery_is_settled_too() {
            stack.commands.append(id, TurnStart.of(1));
            loseTheNextAnswer();

            assertThat(stack.commands.recover(id).events()).hasSize(1);
            assertThat(stack.commands.recover(id).events()).isEmpty();
            liveIsStoredAndHeardOnce(id);
        }

        @Test
        void is_found_when_the_store_can_be_read_at_the_second_look() {
            faulty.afterCommit(outcomes -> {
                faulty.heal();
                faulty.afterFind(found -> {
                    faulty.heal();
                    throw new StoreUnavailableException(Reason.LOCKED, "not yet");
                });
                throw lost;
            });

            assertThat(stack.commands.append(id, TurnStart.of(1)).seq()).isEqualTo(1);
            liveIsStoredAndHeardOnce(id);
        }

        @Test
        void by_another_process_in_its_place_is_not_taken_for_it() {
            CommandStack there = startAnotherProcess();
            faulty.beforeCommit(writes -> {
                faulty.heal();
                there.commands.appendAll(id, List.of(Drafts.say("there")));
                throw lost;
            });

            assertThatThrownBy(() -> stack.commands.appendAll(id, List.of(Drafts.say("here"))))
                    .isSameAs(lost);
            assertThat(stack.commands.append(id, TurnStart.of(1)).seq()).isEqualTo(2);
        }
    }

    @Nested
    class WhatIsNotStored {

        @Test
        void fails_and_leaves_the_live_surface_as_it_was() {
            Surface before = stack.queries.surface(id);
            faulty.beforeCommit(writes -> {
                faulty.heal();
                throw lost;
            });

            assertThatThrownBy(() -> stack.commands.append(id, TurnStart.of(1))).isSameAs(lost);
            assertThat(stack.queries.surface(id)).isSameAs(before);
            assertThat(stack.commands.append(id, TurnStart.of(2)).seq()).isEqualTo(1);
            liveIsStoredAndHeardOnce(id);
        }

        @Test
        void is_known_without_reading_if_the_store_says_it_never_began() {
            StoreUnavailableException locked = new StoreUnavailableException(Reason.LOCKED, "locked");
            faulty.beforeCommit(writes -> {
                faulty.afterFind(found -> {
                    throw new StoreUnavailableException(Reason.LOCKED, "still");
                });
                throw locked;
            });

            assertThatThrownBy(() -> stack.commands.append(id, TurnStart.of(1))).isSameAs(locked);
            faulty.heal();
            assertThat(stack.commands.append(id, TurnStart.of(2)).seq()).isEqualTo(1);
        }
    }

    @Nested
    class WhatCannotBeRead {

        @Test
        void is_answered_as_unknown_with_its_seqs_and_what_is_staged_on_it_as_a_conflict() {
            HeldCommit held = new HeldCommit(faulty, () -> loseTheNextAnswerAndReadNothing());
            CompletableFuture<Appended> inIt =
                    stack.commands.appendAllAsync(id, List.of(Drafts.say("a"), Drafts.say("b")));
            held.awaitReached();
            CompletableFuture<Appended> onIt = say(id, "on it");
            held.close();

            assertThatThrownBy(inIt::join).cause().isInstanceOfSatisfying(OutcomeUnknownException.class, e -> {
                assertThat(e.session()).isEqualTo(id);
                assertThat(e.firstSeq()).isEqualTo(1);
                assertThat(e.nextSeq()).isEqualTo(3);
                assertThat(e).hasMessageContaining("1 to 2").hasCause(lost);
            });
            assertThatThrownBy(onIt::join).hasCauseInstanceOf(AppendConflictException.class);
            faulty.heal();
            stack.commands.flush(other);
            assertThat(stack.queries.nextSeq(id)).isEqualTo(3);
            assertThat(stack.commands.append(id, TurnStart.of(1)).seq()).isEqualTo(3);
            liveIsStoredAndHeardOnce(id);
        }

        @Test
        void under_a_key_may_be_repeated_when_it_can() {
            AppendEvents keyed =
                    AppendEvents.to(id, List.of(Drafts.say("once"))).idempotencyKey("k");
            loseTheNextAnswerAndReadNothing();

            assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> stack.commands.append(keyed));
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> stack.commands.append(id, TurnStart.of(1)));
            faulty.heal();
            assertThat(stack.commands.append(keyed).repeated()).isTrue();
            assertThat(storedNextSeq(id)).isEqualTo(2);
        }

        @Test
        void is_heard_in_its_place_when_another_session_goes_on_first() {
            loseTheNextAnswerAndReadNothing();
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> stack.commands.append(id, TurnStart.of(1)));
            faulty.heal();
            stack.commands.append(other, TurnStart.of(1));

            liveIsStoredAndHeardOnce(other);
            liveIsStoredAndHeardOnce(id);
            assertThat(heard).extracting(SessionEventCommitted::position).isSorted();
        }

        @Test
        void is_told_to_listeners_at_the_latest_when_the_commands_are_closed() {
            loseTheNextAnswerAndReadNothing();
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> stack.commands.append(id, TurnStart.of(1)));
            faulty.heal();
            stack.commands.close();

            liveIsStoredAndHeardOnce(id);
        }
    }
}
