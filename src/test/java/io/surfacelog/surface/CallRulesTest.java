package io.surfacelog.surface;

import static io.surfacelog.surface.StructureFindings.assertFindings;
import static io.surfacelog.surface.StructureRule.BRACKET_SECOND_COMPACTION;
import static io.surfacelog.surface.StructureRule.CALL_ANSWERED_TWICE;
import static io.surfacelog.surface.StructureRule.CALL_ID_EMPTY;
import static io.surfacelog.surface.StructureRule.CALL_ID_REUSED_IN_STEP;
import static io.surfacelog.surface.StructureRule.CALL_RESULT_WITHOUT_CALL;
import static io.surfacelog.surface.StructureRule.CALL_UNANSWERED_AT_STEP_END;
import static io.surfacelog.surface.StructureRule.STEP_NOT_OPEN;
import static io.surfacelog.testing.LogBuilder.call;
import static io.surfacelog.testing.LogBuilder.log;
import static io.surfacelog.testing.LogBuilder.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEndSeed;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.ToolResult;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each call and bracket rule of the format's section 10: a log that breaks exactly it, and the innocent one beside it. */
class CallRulesTest {

    private static LogBuilder inStep() {
        return log().turnStart(1).stepStart(1);
    }

    @Nested
    class Calls {

        @Test
        void a_step_cannot_end_while_a_call_waits_for_its_result() {
            assertFindings(
                    inStep().assistant(call("c1"), call("c2")).toolResult("c1").stepEnd(),
                    CALL_UNANSWERED_AT_STEP_END,
                    4);
            assertFindings(inStep().assistant(call("c1")).toolResult("c1").stepEnd());
        }

        @Test
        void each_unanswered_call_is_found() {
            assertFindings(
                    inStep().assistant(call("c1"), call("c2")).stepEnd(),
                    List.of(
                            new StructureFindings.At(CALL_UNANSWERED_AT_STEP_END, 3),
                            new StructureFindings.At(CALL_UNANSWERED_AT_STEP_END, 3)));
        }

        @Test
        void a_result_needs_a_call_of_its_id_in_its_step() {
            assertFindings(inStep().toolResult("c1"), CALL_RESULT_WITHOUT_CALL, 2);
            assertFindings(
                    inStep().assistant(call("c1")).toolResult("c2").toolResult("c1"), CALL_RESULT_WITHOUT_CALL, 3);
        }

        @Test
        void a_call_of_an_earlier_step_is_not_its_call() {
            assertFindings(
                    inStep().assistant(call("c1"))
                            .toolResult("c1")
                            .stepEnd()
                            .stepStart(2)
                            .toolResult("c1"),
                    CALL_RESULT_WITHOUT_CALL,
                    6);
        }

        @Test
        void a_call_is_answered_once() {
            assertFindings(inStep().assistant(call("c1")).toolResult("c1").toolResult("c1"), CALL_ANSWERED_TWICE, 4);
        }

        @Test
        void a_rewritten_result_is_no_second_answer() {
            LogBuilder log = inStep().assistant(call("c1")).toolResult("c1");
            ToolResult shorter = ((ToolResult) log.events().get(3).payload()).withContent(JsonArray.EMPTY);
            assertFindings(log.replace(3, 3, shorter).replace(4, 4, shorter).stepEnd());
        }

        @Test
        void a_call_needs_an_id() {
            assertFindings(inStep().assistant(call("")).stepEnd(), CALL_ID_EMPTY, 2);
        }

        @Test
        void an_id_names_one_call_of_a_step() {
            assertFindings(
                    inStep().assistant(call("c1"), call("c1"))
                            .toolResult("c1")
                            .toolResult("c1")
                            .stepEnd(),
                    CALL_ID_REUSED_IN_STEP,
                    2);
            assertFindings(
                    inStep().assistant(call("c1"))
                            .toolResult("c1")
                            .assistant(call("c1"))
                            .toolResult("c1")
                            .stepEnd(),
                    CALL_ID_REUSED_IN_STEP,
                    4);
        }

        @Test
        void an_id_may_come_back_in_a_later_step_or_turn() {
            assertFindings(inStep().assistant(call("c1"))
                    .toolResult("c1")
                    .stepEnd()
                    .stepStart(2)
                    .assistant(call("c1"))
                    .toolResult("c1")
                    .stepEnd()
                    .turnEnd()
                    .turnStart(2)
                    .stepStart(1)
                    .assistant(call("c1"))
                    .toolResult("c1")
                    .stepEnd());
        }

        @Test
        void a_copy_of_an_assistant_message_asks_for_nothing_again() {
            LogBuilder log = inStep().assistant(call("c1"));
            assertFindings(log.replace(2, 2, log.assistantMessage(call("c1")))
                    .toolResult("c1")
                    .stepEnd());
        }
    }

    @Nested
    class BeforeTheFirstTurn {

        @Test
        void calls_pair_by_the_turn_and_step_they_name() {
            assertFindings(log().assistant(call("c1")).toolResult("c1"));
            assertFindings(log().toolResult("c1"), CALL_RESULT_WITHOUT_CALL, 0);
            assertFindings(log().assistant(call("c1")).at(1, 2).toolResult("c1"), CALL_RESULT_WITHOUT_CALL, 1);
            assertFindings(log().assistant(call("c1")).toolResult("c1").toolResult("c1"), CALL_ANSWERED_TWICE, 2);
            assertFindings(log().assistant(call("c1"), call("c1")), CALL_ID_REUSED_IN_STEP, 0);
            assertFindings(log().assistant(call("")), CALL_ID_EMPTY, 0);
        }

        @Test
        void a_step_end_finds_the_calls_of_that_step_unanswered() {
            assertFindings(log().assistant(call("c1")).stepEnd(), CALL_UNANSWERED_AT_STEP_END, 1);
            assertFindings(log().assistant(call("c1")).toolResult("c1").stepEnd());
            assertFindings(log().assistant(call("c1")).at(1, 2).stepEnd());
        }
    }

    @Nested
    class Closers {

        private ToolResult closer(LogBuilder log, String id, String code) {
            JsonObject data = log.result("c1").json();
            JsonObject message = data.object("message").orElseThrow().with("id", Json.of(id));
            return new ToolResult(data.with("message", message)).withError(new ToolError("E", code));
        }

        private LogBuilder orphaned() {
            return inStep().assistant(call("c1")).stepEnd().turnEnd();
        }

        private final StructureFindings.At unanswered = new StructureFindings.At(CALL_UNANSWERED_AT_STEP_END, 3);

        @Test
        void a_closer_may_stand_outside_of_its_step() {
            for (String code : List.of("TOOL_OUTCOME_UNKNOWN", "TOOL_NOT_STARTED")) {
                LogBuilder log = orphaned();
                assertFindings(log.append(closer(log, "interrupted-tool-result-c1-5", code)), List.of(unanswered));
            }
        }

        @Test
        void only_id_and_code_together_make_a_closer() {
            LogBuilder otherCode = orphaned();
            assertFindings(
                    otherCode.append(closer(otherCode, "interrupted-tool-result-c1-5", "TIMEOUT")),
                    List.of(unanswered, new StructureFindings.At(StructureRule.STEP_NOT_OPEN, 5)));
            LogBuilder otherId = orphaned().turnStart(2);
            assertFindings(
                    otherId.at(2, 1).at(1, 1).append(closer(otherId, "r1", "TOOL_NOT_STARTED")),
                    List.of(unanswered, new StructureFindings.At(StructureRule.STEP_NOT_OPEN, 6)));
        }

        @Test
        void a_closer_is_not_exempt_from_the_call_rules() {
            LogBuilder log = inStep().assistant(call("c1")).toolResult("c1");
            assertFindings(
                    log.append(closer(log, "interrupted-tool-result-c1-4", "TOOL_NOT_STARTED")),
                    CALL_ANSWERED_TWICE,
                    4);
        }

        @Test
        void a_closer_answers_a_call_that_a_replace_has_brought_onto_the_surface_and_no_other() {
            LogBuilder none = inStep().assistant(text("hi")).stepEnd().turnEnd();
            assertFindings(
                    none.append(closer(none, "interrupted-tool-result-c1-5", "TOOL_NOT_STARTED")),
                    CALL_RESULT_WITHOUT_CALL,
                    5);
            LogBuilder log = inStep().assistant(text("hi")).stepEnd().turnEnd();
            log.replace(2, 2, log.assistantMessage(text("hi"), call("c1")));
            assertFindings(log.append(closer(log, "interrupted-tool-result-c1-6", "TOOL_NOT_STARTED")));
            assertFindings(
                    log.append(closer(log, "interrupted-tool-result-c1-7", "TOOL_NOT_STARTED")),
                    CALL_RESULT_WITHOUT_CALL,
                    7);
        }

        @Test
        void an_ordinary_result_outside_of_its_step_is_found() {
            assertFindings(
                    inStep().assistant(call("c1")).at(1, 2).toolResult("c1"),
                    List.of(
                            new StructureFindings.At(STEP_NOT_OPEN, 3),
                            new StructureFindings.At(CALL_RESULT_WITHOUT_CALL, 3)));
        }
    }

    @Nested
    class Brackets {

        private LogBuilder open(String id) {
            return log().add(CompactionStart.of(id, null));
        }

        @Test
        void a_second_compaction_cannot_start_while_one_is_open() {
            assertFindings(open("a").add(CompactionStart.of("b", null)), BRACKET_SECOND_COMPACTION, 1);
            assertFindings(open("a").add(CompactionStart.of("a", null)), BRACKET_SECOND_COMPACTION, 1);
        }

        @Test
        void its_end_closes_it_with_or_without_an_error() {
            assertFindings(open("a").add(CompactionEnd.of("a", null, null)).add(CompactionStart.of("b", null)));
            assertFindings(
                    open("a").add(CompactionEnd.of("a", 1L, Json.of("x"))).add(CompactionStart.of("a", null)));
        }

        @Test
        void the_end_of_another_one_does_not_close_it() {
            assertFindings(
                    open("a").add(CompactionEnd.of("b", null, null)).add(CompactionStart.of("c", null)),
                    BRACKET_SECOND_COMPACTION,
                    2);
        }

        @Test
        void the_end_of_a_seed_closes_it() {
            assertFindings(open("a").add(SessionEndSeed.of()).add(CompactionStart.of("b", null)));
        }

        @Test
        void a_stray_end_is_no_finding() {
            assertThat(log().add(CompactionEnd.of("a", null, null)).surface().findings())
                    .isEmpty();
        }
    }
}
