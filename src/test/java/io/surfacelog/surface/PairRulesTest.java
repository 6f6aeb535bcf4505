package io.surfacelog.surface;

import static io.surfacelog.surface.StructureFindings.assertFindings;
import static io.surfacelog.surface.StructureRule.CALL_ID_REUSED_IN_STEP;
import static io.surfacelog.surface.StructureRule.PAIR_SPLIT_BY_REPLACE;
import static io.surfacelog.testing.LogBuilder.call;
import static io.surfacelog.testing.LogBuilder.log;
import static io.surfacelog.testing.LogBuilder.text;
import static io.surfacelog.testing.LogBuilder.userMessage;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.JsonArray;
import io.surfacelog.event.ToolResult;
import io.surfacelog.testing.LogBuilder;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** {@code pair.split-by-replace}: what separates a call from its result, and what does not. */
class PairRulesTest {

    /** 2 user, 3 assistant with two calls, 4 and 5 their results, 6 user; the step is still open. */
    private static LogBuilder twoCalls() {
        return log().turnStart(1)
                .stepStart(1)
                .user("hi")
                .assistant(call("c1"), call("c2"))
                .toolResult("c1")
                .toolResult("c2")
                .user("more");
    }

    @Nested
    class Split {

        @Test
        void a_call_hidden_without_its_result() {
            assertFindings(
                    log().assistant(call("c1")).toolResult("c1").replace(0, 0, userMessage("short")),
                    PAIR_SPLIT_BY_REPLACE,
                    2);
            assertFindings(twoCalls().replace(2, 4, userMessage("short")), PAIR_SPLIT_BY_REPLACE, 7);
        }

        @Test
        void a_result_hidden_without_its_call() {
            assertFindings(twoCalls().replace(5, 6, userMessage("short")), PAIR_SPLIT_BY_REPLACE, 7);
        }

        @Test
        void a_result_replaced_by_a_user_message_while_its_call_stays() {
            assertFindings(twoCalls().replace(4, 4, userMessage("short")), PAIR_SPLIT_BY_REPLACE, 7);
        }

        @Test
        void a_result_replaced_by_an_assistant_message_while_its_call_stays() {
            LogBuilder log = twoCalls();
            assertFindings(log.replace(4, 4, log.assistantMessage(text("short"))), PAIR_SPLIT_BY_REPLACE, 7);
        }

        @Test
        void a_call_that_waits_for_its_result() {
            assertFindings(log().assistant(call("c1")).replace(0, 0, userMessage("short")), PAIR_SPLIT_BY_REPLACE, 1);
        }

        @Test
        void a_call_of_an_earlier_step_that_was_never_answered() {
            LogBuilder log =
                    log().turnStart(1).stepStart(1).assistant(call("c1")).stepEnd();
            assertFindings(
                    log.replace(2, 2, userMessage("short")),
                    List.of(
                            new StructureFindings.At(StructureRule.CALL_UNANSWERED_AT_STEP_END, 3),
                            new StructureFindings.At(PAIR_SPLIT_BY_REPLACE, 4)));
        }

        @Test
        void each_pair_that_is_split_is_found() {
            assertFindings(
                    twoCalls().replace(3, 3, userMessage("short")),
                    List.of(
                            new StructureFindings.At(PAIR_SPLIT_BY_REPLACE, 7),
                            new StructureFindings.At(PAIR_SPLIT_BY_REPLACE, 7)));
        }

        @Test
        void a_copy_that_keeps_the_call_of_a_result_it_hides() {
            LogBuilder log = log().assistant(call("c1")).toolResult("c1");
            assertFindings(log.replace(0, 1, log.assistantMessage(call("c1"))), PAIR_SPLIT_BY_REPLACE, 2);
        }

        @Test
        void a_copy_that_drops_a_call_whose_result_stays() {
            LogBuilder log = twoCalls();
            assertFindings(log.replace(3, 3, log.assistantMessage(call("c1"))), PAIR_SPLIT_BY_REPLACE, 7);
        }

        @Test
        void the_second_of_two_calls_of_one_id_that_waits_while_the_first_is_hidden_with_its_result() {
            assertFindings(
                    log().assistant(call("c1"), call("c1")).toolResult("c1").replace(0, 1, userMessage("short")),
                    List.of(
                            new StructureFindings.At(CALL_ID_REUSED_IN_STEP, 0),
                            new StructureFindings.At(PAIR_SPLIT_BY_REPLACE, 2)));
        }

        @Test
        void the_result_of_another_step_does_not_make_the_pair_whole() {
            LogBuilder log = log().assistant(call("c1"))
                    .toolResult("c1")
                    .at(1, 2)
                    .assistant(call("c1"))
                    .toolResult("c1");
            assertFindings(
                    log.replace(1, 2, userMessage("short")),
                    List.of(
                            new StructureFindings.At(PAIR_SPLIT_BY_REPLACE, 4),
                            new StructureFindings.At(PAIR_SPLIT_BY_REPLACE, 4)));
        }

        @Test
        void a_result_whose_call_stands_behind_it_after_an_earlier_replace() {
            LogBuilder log =
                    log().user("hi").assistant(call("c1")).toolResult("c1").user("more");
            // the call moves behind its result: a copy of it takes the place of the last message, then the first is
            // hidden
            log.replace(3, 3, log.assistantMessage(call("c1"))).replace(0, 1, log.assistantMessage(text("x")));
            long before = log.surface().findings().size();
            log.replace(2, 2, userMessage("short"));
            assertThat(log.surface().findings().size() - before).isEqualTo(1);
        }
    }

    @Nested
    class Whole {

        @Test
        void whole_pairs_hidden_together() {
            assertFindings(twoCalls().replace(3, 5, userMessage("short")));
            assertFindings(twoCalls().replace(2, 6, userMessage("short")));
        }

        @Test
        void a_rewritten_result() {
            LogBuilder log = twoCalls();
            ToolResult shorter = ((ToolResult) log.events().get(4).payload()).withContent(JsonArray.EMPTY);
            assertFindings(log.replace(4, 4, shorter));
        }

        @Test
        void a_copy_of_an_assistant_message_with_its_calls() {
            LogBuilder log = twoCalls();
            assertFindings(log.replace(3, 3, log.assistantMessage(text("short"), call("c2"), call("c1"))));
        }

        @Test
        void a_copy_of_an_assistant_message_whose_call_waits() {
            LogBuilder log = log().turnStart(1).stepStart(1).assistant(call("c1"));
            assertFindings(log.replace(2, 2, log.assistantMessage(text("short"), call("c1"))));
        }

        @Test
        void a_rewritten_result_and_its_copied_call_hidden_together() {
            LogBuilder log = log().assistant(call("c1")).toolResult("c1");
            ToolResult shorter = ((ToolResult) log.events().get(1).payload()).withContent(JsonArray.EMPTY);
            assertFindings(log.replace(1, 1, shorter)
                    .replace(0, 0, log.assistantMessage(call("c1")))
                    .replace(3, 2, userMessage("short")));
        }

        @Test
        void messages_without_calls() {
            assertFindings(twoCalls().replace(2, 2, userMessage("short")));
            assertFindings(twoCalls().replace(6, 6, userMessage("short")));
        }

        @Test
        void what_is_left_of_a_pair_that_was_split_before() {
            LogBuilder log = log().assistant(call("c1")).toolResult("c1").replace(0, 0, userMessage("short"));
            assertFindings(log.replace(1, 1, userMessage("short")), PAIR_SPLIT_BY_REPLACE, 2);
        }
    }
}
