package io.surfacelog.model;

import static io.surfacelog.model.CollectingSink.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolResultBlock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoModelTest {

    private final ScriptedModel model = ScriptedModel.demo(Duration.ZERO);

    @Test
    void the_first_answer_repeats_the_question_and_says_what_it_can_do_word_by_word() throws Exception {
        CollectingSink said = ask(model, ModelCalls.saying("Where is my parcel?"));

        assertThat(said.text()).contains("Where is my parcel?").contains(DemoTools.CLOCK, DemoTools.CALCULATOR);
        assertThat(said.chunks().size()).isGreaterThan(40);
        assertThat(said.finish()).isEqualTo(FinishReason.STOP);
    }

    @Test
    void the_same_conversation_gets_the_same_answer() throws Exception {
        ModelCall call = ModelCalls.saying("Good morning");

        assertThat(ask(model, call).chunks()).isEqualTo(ask(model, call).chunks());
    }

    @Test
    void what_its_first_answer_promises_holds() throws Exception {
        String first = ask(model, ModelCalls.saying("hi")).text();

        for (String promised : List.of("what time is it in Europe/Berlin?", "what is 12 * (3 + 4)?")) {
            assertThat(first).contains(promised);
            assertThat(ask(model, ModelCalls.saying(promised)).finish()).isEqualTo(FinishReason.TOOL_CALLS);
        }
        assertThat(ask(model, ModelCalls.saying("count to 50")).text())
                .startsWith("1, 2, 3, ")
                .endsWith("49, 50.");
    }

    @Test
    void a_calculation_goes_through_the_tool_and_its_result_is_told() throws Exception {
        ModelCall question = ModelCalls.saying("what is 12 * (3 + 4)?");
        StreamedCall call = StreamedCall.of(ask(model, question));
        assertThat(call.name()).isEqualTo(DemoTools.CALCULATOR);

        ToolOutput output =
                DemoTools.calculator().run(new ToolInvocation(SessionId.of("s"), 1, 1, call.id(), call.arguments()));
        Message result = Message.toolResult(ToolResultBlock.of(call.id(), output.content(), output.isError()));
        ModelCall next = ModelCalls.of(
                List.of(
                        question.request().messages().get(0),
                        Message.assistant("test", "small", TextBlock.of("Let me ask.")),
                        result),
                DemoTools.all());

        assertThat(ask(model, next).text()).isEqualTo("The answer is 84.");
    }

    @Test
    void a_tool_that_is_not_offered_is_not_called() throws Exception {
        CollectingSink said = ask(model, ModelCalls.of(List.of(ModelCalls.user("what time is it?")), List.of()));

        assertThat(said.toolCalls()).isEmpty();
        assertThat(said.text()).contains("does not offer it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  \n ", "\uD800", "日本語 🦀", "{\"a\":1}", "count to 9999", "1+", "((((", "12-34-"})
    void any_text_gets_an_answer(String text) throws Exception {
        CollectingSink said = ask(model, ModelCalls.saying(text));

        assertThat(said.text()).isNotBlank();
        assertThat(said.isFinished()).isTrue();
    }

    @Nested
    class Tools {

        private final Clock noon = Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);

        @Test
        void the_clock_tells_the_time_of_its_clock_in_the_zone_that_is_asked_for() throws Exception {
            assertThat(run(DemoTools.clock(noon), "{}")).isEqualTo("2026-03-01T12:00:00Z[UTC]");
            assertThat(run(DemoTools.clock(noon), "{\"zone\":\"Europe/Berlin\"}"))
                    .isEqualTo("2026-03-01T13:00:00+01:00[Europe/Berlin]");
            assertThat(run(DemoTools.clock(noon), "{\"zone\":\"Nowhere\"}")).contains("error", "\"Nowhere\"");
        }

        @ParameterizedTest
        @CsvSource({
            "1 + 2 * 3, 7",
            "-(2 - 5) * 2, 6",
            "10 / 4, 2.5",
            "0.1 + 0.2, 0.3",
            "7 % 4, 3",
            "1000000, 1000000",
            "0 * 5, 0",
            "1 / 3, 0.3333333333333333333333333333333333",
        })
        void the_calculator_reckons(String expression, String value) throws Exception {
            assertThat(run(DemoTools.calculator(), "{\"expression\":\"" + expression + "\"}"))
                    .isEqualTo(value);
        }

        @ParameterizedTest
        @CsvSource({
            "1 / 0, division by zero",
            "1 +, a number",
            "(1, a closing bracket",
            "1 2, an operator or the end",
            "1..2, a number",
            "x, a number",
        })
        void what_cannot_be_reckoned_is_an_error_that_says_where(String expression, String said) throws Exception {
            assertThat(run(DemoTools.calculator(), "{\"expression\":\"" + expression + "\"}"))
                    .startsWith("error: ")
                    .contains(said);
        }

        @Test
        void neither_depth_nor_length_nor_size_breaks_it() throws Exception {
            assertThat(run(DemoTools.calculator(), "{\"expression\":\"" + "(".repeat(900) + "\"}"))
                    .contains("nested deeper");
            assertThat(run(DemoTools.calculator(), "{\"expression\":\"" + "9".repeat(5_000) + "\"}"))
                    .contains("at most");
            assertThat(run(DemoTools.calculator(), "{\"expression\":\"9" + "*99999999".repeat(100) + "\"}"))
                    .contains("E+");
            assertThat(run(DemoTools.calculator(), "{}")).contains("expected a string expression");
        }

        private static String run(Tool tool, String arguments) throws Exception {
            ToolOutput output =
                    tool.run(new ToolInvocation(SessionId.of("s"), 1, 1, "c", (JsonObject) Json.parse(arguments)));
            String text = ((TextBlock) output.content().get(0)).text();
            return output.isError() ? "error: " + text : text;
        }
    }

    record StreamedCall(String id, String name, JsonObject arguments) {
        static StreamedCall of(CollectingSink said) {
            var delta = said.toolCalls().get(0);
            return new StreamedCall(
                    delta.id(), delta.name().orElseThrow(), (JsonObject) Json.parse(delta.argumentsDelta()));
        }
    }
}
