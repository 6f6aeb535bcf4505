package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
import io.surfacelog.event.StepStart;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.surface.StructureException;
import io.surfacelog.surface.StructureMode;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What admission, limits and structure refuse at append, and what they let pass. */
class AppendAdmissionTest extends AppendSuite {

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
        void declared_after_the_projection_was_made_do_not_keep_a_live_session_from_being_looked_back_at() {
            commands.append(id, OpaquePayload.of("billing/cost", Json.of(1)));
            commands.append(id, UserMessage.of("hi"), SurfaceIntent.append());

            assertThat(stack.queries.surfaceAsOf(id, 0).nextSeq()).isEqualTo(1);
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
}
