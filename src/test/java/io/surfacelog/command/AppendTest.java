package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Json;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TodoWrite;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.testing.LogBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Appending, as one process does it. */
class AppendTest extends StoreSuite {

    private CommandStack stack;
    private SessionCommands commands;
    private SessionId id;

    @BeforeEach
    void createSession() {
        stack = start(CommandStack.on(store()).types(EventTypes.standard().with(List.of("billing/cost"))));
        commands = stack.commands;
        id = commands.create(header("s"));
    }

    private static AdmissionRule refusal(Runnable append) {
        AdmissionException[] refused = new AdmissionException[1];
        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(append::run)
                .satisfies(e -> refused[0] = e);
        return refused[0].rule();
    }

    @Nested
    class Blocking {

        @Test
        void answers_with_the_events_as_they_are_stored_and_shown() {
            Appended first = commands.append(id, TurnStart.of(1));
            Appended second = commands.append(id, UserMessage.of("hi"), SurfaceIntent.append());

            assertThat(first.firstSeq()).isZero();
            assertThat(second.seq()).isEqualTo(1);
            assertThat(second.nextSeq()).isEqualTo(2);
            assertThat(second.repeated()).isFalse();
            assertThat(stored(id))
                    .isEqualTo(List.of(first.events().get(0), second.events().get(0)));
            assertThat(stack.queries.nextSeq(id)).isEqualTo(2);
            assertThat(stack.queries.messages(id)).hasSize(1);
        }

        @Test
        void keeps_a_time_of_its_own_and_ignorable() {
            Appended appended = commands.appendAll(
                    id,
                    List.of(EventDraft.of(OpaquePayload.of("vendor/x", Json.of(1)))
                            .ignorable()
                            .at(-5)));

            SessionEvent event = stored(id).get(0);
            assertThat(event).isEqualTo(appended.events().get(0));
            assertThat(event.time()).isEqualTo(-5);
            assertThat(event.ignorable()).isTrue();
        }

        @Test
        void of_nothing_is_refused() {
            assertThatThrownBy(() -> commands.appendAll(id, List.of())).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> commands.appendAll(id, next -> List.of()))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void to_an_unknown_session_is_refused_and_creates_none() {
            SessionId unknown = SessionId.of("unknown");

            assertThatExceptionOfType(UnknownSessionException.class)
                    .isThrownBy(() -> commands.append(unknown, TurnStart.of(1)))
                    .satisfies(e -> assertThat(e.session()).isEqualTo(unknown));
            assertThatExceptionOfType(UnknownSessionException.class).isThrownBy(() -> commands.recover(unknown));
            assertThat(store().find(unknown)).isEmpty();
            assertThat(stack.queries.exists(unknown)).isFalse();
        }
    }

    @Nested
    class Batches {

        @Test
        void that_are_refused_leave_no_trace() {
            commands.appendAll(id, List.of(Drafts.say("a"), Drafts.say("b")));
            long position = store().lastPosition();
            var surface = stack.queries.surface(id);
            List<EventDraft> bad = List.of(
                    EventDraft.of(OpaquePayload.of("billing/cost", Json.of(1))),
                    Drafts.say("c"),
                    EventDraft.of(
                            UserMessage.of("d"), SurfaceIntent.replace(0, 9).citing(0)));

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> commands.append(AppendEvents.to(id, bad).idempotencyKey("k")))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.REPLACE_END_ABSENT))
                    .satisfies(e -> assertThat(e.at()).hasValue(4));

            assertThat(storedNextSeq(id)).isEqualTo(2);
            assertThat(store().find(id).orElseThrow().surfaceEvents()).isEqualTo(2);
            assertThat(store().lastPosition()).isEqualTo(position);
            assertThat(store().keyed(id, "k")).isEmpty();
            assertThat(stack.queries.surface(id)).isSameAs(surface);
            assertThat(commands.append(id, TurnStart.of(1)).seq()).isEqualTo(2);
            assertThat(commands.append(AppendEvents.to(id, List.of(Drafts.say("e")))
                                    .idempotencyKey("k"))
                            .repeated())
                    .isFalse();
        }

        @Test
        void that_are_refused_declare_no_type() {
            List<EventDraft> bad = List.of(
                    EventDraft.of(OpaquePayload.of("other/type", Json.of(1))),
                    EventDraft.untyped(UserMessage.of("no intent"), null));

            assertThat(refusal(() -> commands.appendAll(id, bad))).isEqualTo(AdmissionRule.TYPE_UNDECLARED);
            assertThat(store().declaredTypes()).containsExactly("billing/cost");
        }

        @Test
        void made_by_a_function_may_cite_each_other() {
            commands.append(id, TurnStart.of(1));

            Appended appended = commands.appendAll(
                    id,
                    next -> List.of(
                            Drafts.say("x"),
                            EventDraft.of(
                                    UserMessage.of("in its place"),
                                    SurfaceIntent.replace(next, next).citing(next))));

            assertThat(appended.firstSeq()).isEqualTo(1);
            assertThat(stack.queries.surface(id).nodeSeqs()).containsExactly(2);
        }

        @Test
        void whose_function_throws_are_not_appended_and_the_exception_reaches_the_caller() {
            assertThatThrownBy(() -> commands.appendAll(id, next -> {
                        throw new IllegalStateException("mine");
                    }))
                    .hasMessage("mine");
            assertThat(commands.append(id, TurnStart.of(1)).seq()).isZero();
        }

        @Test
        void whose_function_writes_itself_are_refused_instead_of_waiting_for_ever() {
            SessionId other = commands.create(header("other"));

            assertThatThrownBy(() -> commands.appendAll(id, next -> {
                        commands.append(other, TurnStart.of(1));
                        return List.of(Drafts.say("x"));
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cannot be written from within");
            assertThat(commands.append(id, TurnStart.of(1)).seq()).isZero();
            assertThat(storedNextSeq(other)).isZero();
        }
    }

    @Nested
    class Async {

        @Test
        void appends_are_ordered_as_they_were_made() {
            List<CompletableFuture<Appended>> futures = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                futures.add(commands.appendAsync(id, LogBuilder.userMessage("m" + i), SurfaceIntent.append()));
            }
            for (int i = 0; i < 300; i++) {
                assertThat(futures.get(i).join().seq()).isEqualTo(i);
            }
            assertThat(stored(id))
                    .extracting(
                            event -> ((UserMessage) event.payload()).message().text())
                    .startsWith("m0", "m1", "m2")
                    .endsWith("m298", "m299");
            assertThat(stack.queries.nextSeq(id)).isEqualTo(300);
        }

        @Test
        void may_build_on_what_is_only_staged() {
            CompletableFuture<Appended> first = commands.appendAllAsync(id, List.of(Drafts.say("a")));
            CompletableFuture<Appended> second = commands.appendAsync(
                    id, UserMessage.of("b"), SurfaceIntent.replace(0, 0).citing(0));
            CompletableFuture<Appended> third =
                    commands.appendAllAsync(id, next -> List.of(EventDraft.of(StepStart.of(1, next))));

            assertThat(third.join().seq()).isEqualTo(2);
            assertThat(first).isDone();
            assertThat(second.join().seq()).isEqualTo(1);
            assertThat(stack.queries.surface(id).nodeSeqs()).containsExactly(1);
        }

        @Test
        void refusals_come_in_the_future_as_they_are() {
            CompletableFuture<Appended> refused = commands.appendAsync(
                    AppendEvents.to(id, List.of(Drafts.say("a"))).expectingNextSeq(7));
            CompletableFuture<Throwable> seen = refused.handle((result, failure) -> failure);

            assertThat(seen.join()).isInstanceOf(StaleSeqException.class);
            assertThatThrownBy(refused::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(StaleSeqException.class);
        }

        @Test
        void continuations_may_wait_for_further_appends() {
            CompletableFuture<Long> chained = commands.appendAsync(id, TurnStart.of(1))
                    .thenApply(
                            one -> commands.appendAsync(id, StepStart.of(1, 1)).join())
                    .thenApply(
                            two -> commands.append(id, TodoWrite.of(List.of())).seq());

            assertThat(chained.orTimeout(30, java.util.concurrent.TimeUnit.SECONDS)
                            .join())
                    .isEqualTo(2);
        }

        @Test
        void a_continuation_that_never_ends_holds_up_no_blocking_append_and_no_other_continuation() {
            FaultyStore held = new FaultyStore(store());
            CommandStack own = start(CommandStack.on(held));
            // what is hung on a complete future runs on the thread that hangs it there, so it is hung on before the
            // commit
            HeldCommit commit = new HeldCommit(held);
            CompletableFuture<Appended> first = own.commands.appendAsync(id, TurnStart.of(1));
            commit.awaitReached();
            var entered = new java.util.concurrent.CountDownLatch(1);
            var release = new java.util.concurrent.CountDownLatch(1);
            CompletableFuture<Void> stuck = first.thenAccept(one -> {
                entered.countDown();
                Bounded.await(release);
            });
            commit.close();
            Bounded.await(entered);

            assertThat(own.commands.append(id, StepStart.of(1, 1)).seq()).isEqualTo(1);
            assertThat(own.commands
                            .appendAsync(id, TodoWrite.of(List.of()))
                            .thenApply(Appended::seq)
                            .orTimeout(Bounded.SECONDS, java.util.concurrent.TimeUnit.SECONDS)
                            .join())
                    .isEqualTo(2);
            assertThat(stuck).isNotDone();

            release.countDown();
            stuck.join();
        }
    }

    @Nested
    class ExpectedNextSeq {

        @Test
        void is_compared_and_nothing_is_written_when_it_differs() {
            commands.appendAll(id, List.of(Drafts.say("a"), Drafts.say("b")));

            assertThat(commands.append(AppendEvents.to(id, List.of(Drafts.say("c")))
                                    .expectingNextSeq(2))
                            .seq())
                    .isEqualTo(2);
            assertThatExceptionOfType(StaleSeqException.class)
                    .isThrownBy(() -> commands.append(
                            AppendEvents.to(id, List.of(Drafts.say("d"))).expectingNextSeq(2)))
                    .satisfies(e -> assertThat(e.expected()).isEqualTo(2))
                    .satisfies(e -> assertThat(e.found()).isEqualTo(3));
            assertThat(storedNextSeq(id)).isEqualTo(3);
        }
    }

    @Test
    void an_interrupted_caller_gets_its_answer_and_keeps_its_interrupt() {
        Thread.currentThread().interrupt();
        try {
            assertThat(commands.append(id, TurnStart.of(1)).seq()).isZero();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(store().events(id, EventRange.all())).hasSize(1);
        assertThat(Optional.of(stack.queries.nextSeq(id))).contains(1L);
    }
}
