package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TodoWrite;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.surface.StructureException;
import io.surfacelog.surface.StructureMode;
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
        void a_continuation_that_never_ends_holds_up_no_blocking_append() throws Exception {
            var entered = new java.util.concurrent.CountDownLatch(1);
            var release = new java.util.concurrent.CountDownLatch(1);
            CompletableFuture<Void> stuck = commands.appendAsync(id, TurnStart.of(1))
                    .thenAccept(one -> {
                        entered.countDown();
                        Bounded.await(release);
                    });
            Bounded.await(entered);

            assertThat(commands.append(id, StepStart.of(1, 1)).seq()).isEqualTo(1);

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

    @Nested
    class Types {

        @Test
        void that_nobody_declared_are_refused_before_they_are_stored() {
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> commands.append(id, OpaquePayload.of("vendor-cost/usage", Json.of(1))))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.TYPE_UNDECLARED))
                    .satisfies(e -> assertThat(e.at()).hasValue(0))
                    .withMessageContaining("vendor-cost/usage");
        }

        @Test
        void that_are_declared_load_in_a_process_that_does_not_declare_them() {
            commands.append(id, OpaquePayload.of("billing/cost", Json.of(1)));

            CommandStack plain = startAnotherProcess();
            assertThat(plain.queries.surface(id).nextSeq()).isEqualTo(1);
            assertThat(refusal(() -> plain.commands.append(id, OpaquePayload.of("billing/cost", Json.of(2)))))
                    .isEqualTo(AdmissionRule.TYPE_UNDECLARED);
        }

        @Test
        void declared_after_a_projection_was_made_are_no_damage_to_it() {
            CommandStack early = startAnotherProcess();
            CommandStack late =
                    start(CommandStack.on(store()).types(EventTypes.standard().with(List.of("late/type"))));

            late.commands.append(id, OpaquePayload.of("late/type", Json.of(1)));
            late.commands.append(id, UserMessage.of("hi"), SurfaceIntent.append());

            assertThat(early.queries.refresh(id).nextSeq()).isEqualTo(2);
            assertThat(early.queries.surfaceAsOf(id, 0).nextSeq()).isEqualTo(1);
        }

        @Test
        void declared_since_do_not_keep_the_live_path_from_looking_back() {
            SurfaceProjection made = new SurfaceProjection(store(), 10);
            CommandStack late =
                    start(CommandStack.on(store()).types(EventTypes.standard().with(List.of("late/type"))));
            late.commands.appendAll(
                    id, List.of(EventDraft.of(OpaquePayload.of("late/type", Json.of(1))), Drafts.say("hi")));

            var queries = io.surfacelog.projection.SessionQueries.of(store(), made);
            made.created(header("s"), io.surfacelog.surface.Surface.empty().plan(List.of()));
            made.forget(id);
            assertThat(queries.surfaceAsOf(id, 0).nextSeq()).isEqualTo(1);
        }

        @Test
        void of_the_format_on_a_log_only_payload_meet_the_rule_at_run_time() {
            record Disguised(String type, Json json) implements LogOnlyPayload {}

            assertThat(refusal(() -> commands.append(
                            id,
                            new Disguised("user/message", UserMessage.of("x").json()))))
                    .isEqualTo(AdmissionRule.SURFACE_OP_MISSING);
            assertThat(refusal(() -> commands.appendAll(
                            id, List.of(EventDraft.untyped(TurnStart.of(1), SurfaceIntent.append())))))
                    .isEqualTo(AdmissionRule.SURFACE_OP_NOT_ALLOWED);
        }
    }

    @Nested
    class Limits {

        @Test
        void of_size_let_the_largest_pass_and_refuse_one_byte_more() {
            CommandStack limited = start(CommandStack.on(store()).limits(new EventLimits(2_000)));
            SessionEvent probe =
                    limited.commands.appendAll(id, List.of(sized(0))).events().get(0);
            int room = 2_000 - probe.toText().length();

            assertThat(limited.commands
                            .appendAll(id, List.of(sized(room)))
                            .events()
                            .get(0)
                            .toText())
                    .hasSize(2_000);
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> limited.commands.appendAll(id, List.of(sized(room + 1))))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.LIMIT_EVENT_BYTES))
                    .satisfies(e -> assertThat(e.at()).hasValue(2));
            assertThat(limited.queries.events(id, 0, 9)).hasSize(2);
        }

        private static EventDraft sized(int more) {
            return EventDraft.of(OpaquePayload.of("hook/x", Json.of("x".repeat(more))))
                    .at(1_000);
        }

        @Test
        void of_depth_let_the_deepest_pass_and_refuse_one_level_more() {
            commands.append(id, OpaquePayload.of("billing/cost", nested(1_999)));

            assertThat(refusal(() -> commands.append(id, OpaquePayload.of("billing/cost", nested(2_000)))))
                    .isEqualTo(AdmissionRule.LIMIT_DEPTH);
            assertThat(storedNextSeq(id)).isEqualTo(1);
        }

        private static Json nested(int levels) {
            Json value = JsonArray.of(List.of());
            for (int i = 1; i < levels; i++) {
                value = i % 2 == 0
                        ? JsonArray.of(List.of(value))
                        : JsonObject.builder().put("a", value).build();
            }
            return value;
        }

        @Test
        void of_time_are_told_with_the_place() {
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> commands.appendAll(
                            id, List.of(Drafts.say("a"), Drafts.say("b").at(1L << 60))))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.ENVELOPE))
                    .satisfies(e -> assertThat(e.at()).hasValue(1));
        }

        @Test
        void of_numbers_hold_for_typed_values() {
            for (Double value : new Double[] {Double.NaN, Double.POSITIVE_INFINITY, -0.0}) {
                assertThat(refusal(() -> commands.append(id, OpaquePayload.of("billing/cost", Json.of(value)))))
                        .isEqualTo(AdmissionRule.JSON_LOSSLESS);
            }
            assertThat(storedNextSeq(id)).isZero();
        }
    }

    @Nested
    class Structure {

        @Test
        void that_is_enforced_refuses_and_leaves_the_session_as_it_was() {
            CommandStack strict = start(CommandStack.on(store()).structure(StructureMode.ENFORCE));
            strict.commands.append(id, TurnStart.of(1));

            assertThatExceptionOfType(StructureException.class)
                    .isThrownBy(() -> strict.commands.append(id, TurnStart.of(2)))
                    .satisfies(e -> assertThat(e.at()).isEqualTo(1));
            assertThat(strict.commands.append(id, StepStart.of(1, 1)).seq()).isEqualTo(1);
        }

        @Test
        void is_judged_by_what_another_process_has_added() {
            CommandStack strict = start(CommandStack.on(store()).structure(StructureMode.ENFORCE));
            strict.commands.append(id, TurnStart.of(1));
            startAnotherProcess().commands.append(id, StepStart.of(1, 1));

            assertThat(strict.commands
                            .append(id, io.surfacelog.event.StepEnd.of(1, 1))
                            .seq())
                    .isEqualTo(2);
        }

        @Test
        void findings_are_the_same_live_and_loaded_whatever_is_done_with_them() {
            CommandStack off = start(CommandStack.on(store()).structure(StructureMode.OFF));
            off.commands.appendAll(id, List.of(EventDraft.of(TurnStart.of(1)), EventDraft.of(TurnStart.of(5))));

            assertThat(off.queries.surface(id).findings())
                    .isNotEmpty()
                    .isEqualTo(new SurfaceProjection(store(), 1).surface(id).findings());
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
