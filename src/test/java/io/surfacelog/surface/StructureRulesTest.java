package io.surfacelog.surface;

import static io.surfacelog.surface.StructureFindings.assertFindings;
import static io.surfacelog.surface.StructureRule.STEP_ALREADY_OPEN;
import static io.surfacelog.surface.StructureRule.STEP_NOT_OPEN;
import static io.surfacelog.surface.StructureRule.STEP_NUMBER;
import static io.surfacelog.surface.StructureRule.STEP_OPEN_AT_TURN_END;
import static io.surfacelog.surface.StructureRule.TURN_ALREADY_OPEN;
import static io.surfacelog.surface.StructureRule.TURN_END_MISMATCH;
import static io.surfacelog.surface.StructureRule.TURN_NOT_OPEN;
import static io.surfacelog.surface.StructureRule.TURN_NUMBER;
import static io.surfacelog.testing.LogBuilder.call;
import static io.surfacelog.testing.LogBuilder.log;
import static io.surfacelog.testing.LogBuilder.text;
import static io.surfacelog.testing.LogBuilder.userMessage;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.TodoWrite;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each turn and step rule of the format's section 10: a log that breaks exactly it, and the innocent one beside it. */
class StructureRulesTest {

    private static LogBuilder inStep() {
        return log().turnStart(1).stepStart(1);
    }

    @Test
    void a_well_formed_session_has_no_findings() {
        assertFindings(inStep().chunk(StreamChunk.text(0, "hi"))
                .assistant(text("hi"), call("c1"), call("c2"))
                .toolCall("c1")
                .toolCall("c2")
                .toolResult("c2")
                .toolResult("c1")
                .stepEnd()
                .stepStart(2)
                .assistant(text("done"))
                .stepEnd()
                .turnEnd()
                .turnStart(2)
                .turnEnd());
    }

    @Test
    void everything_else_may_stand_anywhere() {
        assertFindings(log().user("before")
                .add(new OpaquePayload("hook/result", Json.of(1)))
                .turnStart(1)
                .user("in the turn")
                .stepStart(1)
                .user("in the step")
                .add(TodoWrite.of(List.of()))
                .stepEnd()
                .turnEnd()
                .user("between turns")
                .replace(0, 0, userMessage("in its place")));
    }

    @Test
    void a_session_without_a_turn_start_is_not_structured_and_has_no_turn_findings() {
        LogBuilder log = log().stepEnd()
                .add(TurnEnd.of(4, TurnEndReason.completed()))
                .add(StepStart.of(9, 9))
                .chunk(StreamChunk.text(0, "hi"))
                .toolCall("c1")
                .assistant(text("hi"));
        assertFindings(log);
        assertFindings(log.turnStart(1).stepStart(1).stepEnd().turnEnd());
    }

    @Nested
    class TurnNotOpen {

        @Test
        void a_step_start_needs_the_open_turn() {
            assertFindings(log().turnStart(1).turnEnd().stepStart(1), TURN_NOT_OPEN, 2);
        }

        @Test
        void a_step_start_of_another_turn_needs_that_one() {
            assertFindings(log().turnStart(1).add(StepStart.of(2, 1)), TURN_NOT_OPEN, 1);
        }

        @Test
        void a_step_end_needs_the_open_turn() {
            assertFindings(log().turnStart(1).turnEnd().add(StepEnd.of(1, 1)), TURN_NOT_OPEN, 2);
        }

        @Test
        void a_turn_end_needs_an_open_turn() {
            assertFindings(log().turnStart(1).turnEnd().turnEnd(), TURN_NOT_OPEN, 2);
        }

        @Test
        void what_belongs_to_a_step_needs_the_open_step_of_its_turn() {
            assertFindings(inStep().at(2, 1).chunk(StreamChunk.text(0, "hi")), STEP_NOT_OPEN, 2);
            assertFindings(inStep().at(2, 1).assistant(text("hi")), STEP_NOT_OPEN, 2);
            assertFindings(inStep().at(2, 1).toolCall("c1"), STEP_NOT_OPEN, 2);
        }

        @Test
        void a_refused_step_leaves_the_turn_as_it_was() {
            assertFindings(
                    log().turnStart(1)
                            .add(StepStart.of(2, 1))
                            .stepStart(1)
                            .stepEnd()
                            .turnEnd(),
                    TURN_NOT_OPEN,
                    1);
        }
    }

    @Nested
    class Turns {

        @Test
        void a_turn_cannot_start_while_one_is_open() {
            assertFindings(log().turnStart(1).turnStart(2), TURN_ALREADY_OPEN, 1);
            assertFindings(log().turnStart(1).turnEnd().turnStart(2));
        }

        @Test
        void turns_count_up_from_one() {
            assertFindings(log().turnStart(2), TURN_NUMBER, 0);
            assertFindings(log().turnStart(1).turnEnd().turnStart(3), TURN_NUMBER, 2);
            assertFindings(log().turnStart(1).turnEnd().turnStart(1), TURN_NUMBER, 2);
        }

        @Test
        void after_a_wrong_number_the_count_goes_on_from_it() {
            assertFindings(log().turnStart(5).turnEnd().turnStart(6).turnEnd(), TURN_NUMBER, 0);
        }

        @Test
        void a_turn_end_names_the_open_turn() {
            assertFindings(log().turnStart(1).at(2, 1).turnEnd(), TURN_END_MISMATCH, 1);
            assertFindings(log().turnStart(1).at(2, 1).turnEnd().at(1, 1).turnStart(2), TURN_END_MISMATCH, 1);
        }

        @Test
        void a_turn_cannot_end_while_a_step_is_open() {
            assertFindings(inStep().turnEnd(), STEP_OPEN_AT_TURN_END, 2);
            assertFindings(inStep().stepEnd().turnEnd());
        }
    }

    @Nested
    class Steps {

        @Test
        void what_belongs_to_a_step_needs_it_open() {
            LogBuilder noStep = log().turnStart(1).at(1, 1);
            assertFindings(noStep.chunk(StreamChunk.text(0, "hi")), STEP_NOT_OPEN, 1);
            assertFindings(log().turnStart(1).toolCall("c1"), STEP_NOT_OPEN, 1);
            assertFindings(log().turnStart(1).assistant(text("hi")), STEP_NOT_OPEN, 1);
            assertFindings(inStep().at(1, 2).chunk(StreamChunk.text(0, "hi")), STEP_NOT_OPEN, 2);
        }

        @Test
        void an_appended_result_needs_its_step_open_even_where_its_call_is_known() {
            assertFindings(
                    inStep().assistant(call("c1")).toolCall("c1").stepEnd().toolResult("c1"),
                    List.of(
                            new StructureFindings.At(StructureRule.CALL_UNANSWERED_AT_STEP_END, 4),
                            new StructureFindings.At(STEP_NOT_OPEN, 5)));
        }

        @Test
        void a_replacing_assistant_message_or_result_may_stand_anywhere() {
            LogBuilder log =
                    inStep().assistant(call("c1")).toolResult("c1").stepEnd().turnEnd();
            ToolResult shorter = ((ToolResult) log.events().get(3).payload()).withContent(JsonArray.EMPTY);
            assertFindings(log.replace(3, 3, shorter).replace(2, 2, log.assistantMessage(call("c1"), text("shorter"))));
        }

        @Test
        void a_step_end_needs_an_open_step_of_that_number() {
            assertFindings(log().turnStart(1).stepEnd(), STEP_NOT_OPEN, 1);
            assertFindings(inStep().add(StepEnd.of(1, 2)).stepEnd().turnEnd(), STEP_NOT_OPEN, 2);
        }

        @Test
        void a_step_cannot_start_while_one_is_open() {
            assertFindings(inStep().stepStart(2), STEP_ALREADY_OPEN, 2);
            assertFindings(inStep().stepEnd().stepStart(2));
        }

        @Test
        void steps_count_up_from_one_in_each_turn() {
            assertFindings(log().turnStart(1).stepStart(2), STEP_NUMBER, 1);
            assertFindings(inStep().stepEnd().stepStart(3), STEP_NUMBER, 3);
            assertFindings(inStep().stepEnd().turnEnd().turnStart(2).stepStart(2), STEP_NUMBER, 5);
            assertFindings(inStep().stepEnd().turnEnd().turnStart(2).stepStart(1));
        }
    }
}
