package io.surfacelog.surface;

import static io.surfacelog.testing.LogBuilder.call;
import static io.surfacelog.testing.LogBuilder.log;
import static io.surfacelog.testing.LogBuilder.text;
import static io.surfacelog.testing.LogBuilder.userMessage;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which calls recovery answers, where and with which error. */
class AnsweredCallsTest {

    private static List<SessionEvent> closers(LogBuilder log, boolean orphans) {
        return Closers.of(log.surface(), LogReader.of(log.events()), new RecoverySettings(false, orphans));
    }

    /** Each result as "callId turn.step code", with what it cites behind; other closers as their type. */
    private static List<String> answers(LogBuilder log, boolean orphans) {
        return closers(log, orphans).stream().map(AnsweredCallsTest::describe).toList();
    }

    private static String describe(SessionEvent closer) {
        if (!(closer.payload() instanceof ToolResult result)) {
            return closer.type();
        }
        String sources = closer.intent()
                .orElseThrow()
                .sources()
                .map(EventSeqs::toText)
                .map(text -> " citing " + text)
                .orElse("");
        return result.callId() + " " + result.turn().orElse(0) + "."
                + result.step().orElse(0) + " " + result.error().orElseThrow().code() + sources;
    }

    private static LogBuilder inStep() {
        return log().turnStart(1).stepStart(1);
    }

    @Nested
    class InTheOpenTurn {

        @Test
        void started_and_not_started_calls_are_told_apart() {
            LogBuilder log = inStep().assistant(call("c1"), call("c2"), call("c3"))
                    .toolCall("c2")
                    .toolCall("c3")
                    .toolResult("c3");
            assertThat(answers(log, false))
                    .containsExactly(
                            "c1 1.1 TOOL_NOT_STARTED",
                            "c2 1.1 TOOL_OUTCOME_UNKNOWN citing 3",
                            EventType.STEP_END,
                            EventType.TURN_END);
        }

        @Test
        void a_result_says_what_is_known_as_an_error_of_that_call() {
            SessionEvent closer = closers(inStep().assistant(call("c1")), false).get(0);
            ToolResult result = (ToolResult) closer.payload();
            assertThat(result.message().id()).isEqualTo("interrupted-tool-result-c1-3");
            assertThat(result.block().isError()).isTrue();
            assertThat(result.error().orElseThrow().name()).isEqualTo("ToolNotStartedError");
            assertThat(result.block().json().toText()).contains("a retry is safe");
            SessionEvent started = closers(inStep().assistant(call("c1")).toolCall("c1"), false)
                    .get(0);
            assertThat(((ToolResult) started.payload()).error().orElseThrow().name())
                    .isEqualTo("ToolOutcomeUnknownError");
            assertThat(started.toText()).contains("not known to be safe");
        }

        @Test
        void the_same_id_twice_in_one_message_is_two_calls() {
            LogBuilder log = inStep().assistant(call("c1"), call("c1")).toolCall("c1");
            assertThat(answers(log, false))
                    .startsWith("c1 1.1 TOOL_OUTCOME_UNKNOWN citing 3", "c1 1.1 TOOL_NOT_STARTED")
                    .hasSize(4);
            assertThat(answers(log.toolResult("c1"), false))
                    .startsWith("c1 1.1 TOOL_NOT_STARTED")
                    .hasSize(3);
        }

        @Test
        void a_call_stays_pending_although_its_message_is_hidden() {
            LogBuilder log = inStep().assistant(call("c1")).replace(2, 2, userMessage("short"));
            for (boolean orphans : List.of(true, false)) {
                assertThat(answers(log, orphans))
                        .containsExactly("c1 1.1 TOOL_NOT_STARTED", EventType.STEP_END, EventType.TURN_END);
            }
        }

        @Test
        void a_copy_of_its_message_does_not_ask_again() {
            LogBuilder log = inStep().assistant(call("c1"));
            log.replace(2, 2, log.assistantMessage(text("short"), call("c1")));
            for (boolean orphans : List.of(true, false)) {
                assertThat(answers(log, orphans))
                        .containsExactly("c1 1.1 TOOL_NOT_STARTED", EventType.STEP_END, EventType.TURN_END);
            }
            assertThat(answers(log.toolResult("c1"), true)).containsExactly(EventType.STEP_END, EventType.TURN_END);
        }

        @Test
        void shortening_an_old_result_does_not_answer_a_call_that_uses_its_id_again() {
            LogBuilder log = inStep().assistant(call("c1"))
                    .toolResult("c1")
                    .stepEnd()
                    .stepStart(2)
                    .assistant(call("c1"));
            ToolResult shorter = ((ToolResult) log.events().get(3).payload()).withContent(JsonArray.EMPTY);
            assertThat(answers(log.replace(3, 3, shorter), false))
                    .containsExactly("c1 1.2 TOOL_NOT_STARTED", EventType.STEP_END, EventType.TURN_END);
        }

        @Test
        void a_closer_pairs_with_a_message_that_recorded_neither_turn_nor_step() {
            LogBuilder log = inStep();
            SessionEvent message = log.assistant(call("c1")).events().get(2);
            LogBuilder bare = inStep().append(new AssistantMessage(
                    ((JsonObject) message.data().value()).without("turn").without("step")));
            assertThat(answers(bare, true))
                    .containsExactly("c1 0.0 TOOL_NOT_STARTED", EventType.STEP_END, EventType.TURN_END);
            bare.addAll(closers(bare, true));
            assertThat(answers(bare, true)).isEmpty();
        }

        @Test
        void a_second_step_start_keeps_the_pending_calls() {
            assertThat(answers(inStep().assistant(call("c1")).stepStart(2), false))
                    .containsExactly("c1 1.1 TOOL_NOT_STARTED", EventType.STEP_END, EventType.TURN_END);
        }

        @Test
        void a_call_without_an_id_is_not_answered() {
            assertThat(answers(inStep().assistant(call("")), true))
                    .containsExactly(EventType.STEP_END, EventType.TURN_END);
        }

        @Test
        void a_turn_without_an_open_step_is_just_ended() {
            assertThat(answers(inStep().stepEnd(), true)).containsExactly(EventType.TURN_END);
            assertThat(answers(inStep().stepEnd().turnEnd(), true)).isEmpty();
            assertThat(answers(log(), true)).isEmpty();
        }
    }

    @Nested
    class Orphans {

        /** 2 assistant with two calls, 3 starts the first; the step ends without a result. */
        private LogBuilder orphaned() {
            return inStep().assistant(call("c1"), call("c2")).toolCall("c1").stepEnd();
        }

        @Test
        void several_of_a_step_are_answered_in_order_started_and_not_started() {
            LogBuilder log = orphaned().turnEnd();
            assertThat(answers(log, true))
                    .containsExactly("c1 1.1 TOOL_OUTCOME_UNKNOWN citing 3", "c2 1.1 TOOL_NOT_STARTED");
            assertThat(answers(log, false)).isEmpty();
        }

        @Test
        void they_come_before_all_other_closers_in_surface_order() {
            LogBuilder log = orphaned().stepStart(2).assistant(call("c9"));
            assertThat(answers(log, true))
                    .containsExactly(
                            "c1 1.1 TOOL_OUTCOME_UNKNOWN citing 3",
                            "c2 1.1 TOOL_NOT_STARTED",
                            "c9 1.2 TOOL_NOT_STARTED",
                            EventType.STEP_END,
                            EventType.TURN_END);
        }

        @Test
        void an_id_that_came_back_in_a_later_turn_and_was_answered_there_is_still_open_in_the_first() {
            LogBuilder log = orphaned()
                    .turnEnd()
                    .turnStart(2)
                    .stepStart(1)
                    .assistant(call("c1"))
                    .toolCall("c1")
                    .toolResult("c1")
                    .stepEnd()
                    .turnEnd();
            assertThat(answers(log, true))
                    .containsExactly("c1 1.1 TOOL_OUTCOME_UNKNOWN citing 3", "c2 1.1 TOOL_NOT_STARTED");
        }

        @Test
        void an_id_that_is_pending_again_in_the_open_turn_is_answered_in_both() {
            LogBuilder log = orphaned().turnEnd().turnStart(2).stepStart(1).assistant(call("c1"));
            assertThat(answers(log, true))
                    .containsExactly(
                            "c1 1.1 TOOL_OUTCOME_UNKNOWN citing 3",
                            "c2 1.1 TOOL_NOT_STARTED",
                            "c1 2.1 TOOL_NOT_STARTED",
                            EventType.STEP_END,
                            EventType.TURN_END);
        }

        @Test
        void of_two_calls_of_one_id_the_first_result_answers_the_first() {
            LogBuilder log = inStep().assistant(call("c1"), call("c1"))
                    .toolCall("c1")
                    .toolCall("c1")
                    .toolResult("c1")
                    .stepEnd()
                    .turnEnd();
            assertThat(answers(log, true)).containsExactly("c1 1.1 TOOL_OUTCOME_UNKNOWN citing 4");
        }

        @Test
        void a_call_whose_message_is_hidden_is_left_alone() {
            assertThat(answers(orphaned().turnEnd().replace(2, 2, userMessage("short")), true))
                    .isEmpty();
        }

        @Test
        void a_copy_of_its_message_is_answered_once() {
            LogBuilder log = orphaned().turnEnd();
            log.replace(2, 2, log.assistantMessage(text("short"), call("c1"), call("c2")));
            assertThat(answers(log, true))
                    .containsExactly("c1 1.1 TOOL_OUTCOME_UNKNOWN citing 3", "c2 1.1 TOOL_NOT_STARTED");
        }

        @Test
        void calls_that_a_replace_brought_onto_the_surface_are_answered_without_a_finding() {
            LogBuilder log = inStep().assistant(text("hi")).stepEnd().turnEnd();
            log.replace(2, 2, log.assistantMessage(call("c1"), call("c2"), call("c1")));
            log.addAll(closers(log, true));
            assertThat(log.events()).hasSize(9);
            assertThat(log.surface().findings()).isEmpty();
            assertThat(answers(log, true)).isEmpty();
        }

        @Test
        void a_result_that_is_hidden_still_answers() {
            LogBuilder log =
                    inStep().assistant(call("c1")).toolResult("c1").stepEnd().turnEnd();
            assertThat(answers(log.replace(3, 3, userMessage("short")), true)).isEmpty();
        }

        @Test
        void a_result_of_its_turn_and_step_answers_wherever_it_stands() {
            LogBuilder log = orphaned().turnEnd().user("later").toolResult("c2");
            assertThat(answers(log, true)).containsExactly("c1 1.1 TOOL_OUTCOME_UNKNOWN citing 3");
        }

        @Test
        void a_second_recovery_adds_nothing() {
            LogBuilder log = orphaned().turnEnd();
            log.addAll(closers(log, true));
            assertThat(answers(log, true)).isEmpty();
            assertThat(answers(log.user("go on"), true)).isEmpty();
        }

        @Test
        void a_call_that_waits_outside_of_any_turn_is_answered_at_once_and_once() {
            LogBuilder log = orphaned().turnEnd().at(1, 7).assistant(call("c1"));
            List<SessionEvent> first = closers(log, true);
            assertThat(first.stream().map(AnsweredCallsTest::describe))
                    .containsExactly(
                            "c1 1.1 TOOL_OUTCOME_UNKNOWN citing 3",
                            "c2 1.1 TOOL_NOT_STARTED",
                            "c1 1.7 TOOL_NOT_STARTED");
            assertThat(answers(log.addAll(first), true)).isEmpty();
        }

        @Test
        void a_turn_that_is_recorded_as_a_negative_number_is_answered_once() {
            LogBuilder source = log().assistant(call("c1"));
            LogBuilder log = log().add(
                            new AssistantMessage(
                                    ((JsonObject) source.events().get(0).data().value()).with("turn", Json.of(-3))),
                            SurfaceIntent.append());
            assertThat(answers(log, true)).containsExactly("c1 -3.1 TOOL_NOT_STARTED");
            assertThat(answers(log.addAll(closers(log, true)), true)).isEmpty();
        }
    }
}
