package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolOutput;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What models and tools say is longer than an event may be: that ends a turn at most, and never the agent. */
class SmallLimitsTest extends AgentSuite {

    static Stream<Arguments> answers() {
        return IntStream.of(1_024, 1_300, 2_000, 5_000, 20_000)
                .boxed()
                .flatMap(limit -> Stream.of(
                                ScriptedAnswer.begin().fail(failure(ModelException.Kind.PERMANENT, limit)),
                                ScriptedAnswer.begin().fail(failure(ModelException.Kind.TRANSIENT, limit)),
                                ScriptedAnswer.begin().fail(failure(ModelException.Kind.CONTEXT_OVERFLOW, limit)),
                                ScriptedAnswer.of("Let me").fail(failure(ModelException.Kind.TRANSIENT, limit)),
                                ScriptedAnswer.begin()
                                        .fail(ModelException.of(
                                                ModelException.Kind.PERMANENT, "c".repeat(limit), "no")),
                                ScriptedAnswer.of("x".repeat(limit)),
                                ScriptedAnswer.of("x".repeat(limit / 2), "y".repeat(limit / 2)),
                                ScriptedAnswer.begin().toolCall("c1", "throws", "{\"n\":" + limit + "}"),
                                ScriptedAnswer.begin().toolCall("c1", "controls", "{\"n\":" + limit + "}"),
                                ScriptedAnswer.begin().toolCall("c1", "endless", "{\"n\":" + limit + "}"),
                                ScriptedAnswer.begin()
                                        .toolCall("c1", "endless", "{\"n\":" + limit + "}")
                                        .toolCall("c2", "throws", "{\"n\":" + limit + "}"),
                                ScriptedAnswer.begin().toolCall("c1", "n".repeat(limit / 3), "{}"),
                                ScriptedAnswer.begin().toolCall("c1", "n".repeat(limit / 2), "{}"),
                                ScriptedAnswer.begin()
                                        .toolCall("i".repeat(limit / 4), "throws", "{\"n\":" + limit + "}"),
                                ScriptedAnswer.begin()
                                        .toolCall("c1", "throws", "{\"n\":\"" + "x".repeat(limit / 2) + "\"}"),
                                ScriptedAnswer.begin().toolCall("c1", "throws", "[\"" + "x".repeat(limit / 2) + "\"]"))
                        .map(answer -> Arguments.of(limit, answer)));
    }

    private static ModelException failure(ModelException.Kind kind, int limit) {
        return ModelException.of(kind, "NO", "no ".repeat(limit));
    }

    @ParameterizedTest(name = "{index} {0}")
    @MethodSource("answers")
    void whatever_is_too_long_ends_a_turn_and_not_the_agent(int limit, ScriptedAnswer answer) {
        CommandStack small = start(CommandStack.on(faulty).limits(new EventLimits(limit)));
        Tool[] tools = {
            tool("throws", call -> {
                throw new IllegalStateException("no ".repeat(limit));
            }),
            tool("controls", call -> {
                throw new IllegalStateException("\u0001".repeat(limit / 3));
            }),
            tool("endless", call -> ToolOutput.text("x".repeat(limit)))
        };
        ScriptedModel model = ScriptedModel.answering(
                call -> call.turn() == 1 && call.step() < 3 ? answer : ScriptedAnswer.of("That is all."));
        Agent agent = agents(small, AgentHooks.none()).create(header(), profile(model, tools));

        assertThat(outcome(agent.followUp("Try.")).reason().kind()).isIn("completed", "error");
        assertThat(outcome(agent.followUp("Again.")).reason().kind()).isEqualTo("completed");
    }

    @Test
    void what_was_shown_before_a_cancellation_stays_in_its_chunks_where_it_is_no_event() {
        CommandStack small = start(CommandStack.on(faulty).limits(new EventLimits(1_024)));
        ScriptedModel model = ScriptedModel.answering(call -> call.turn() == 1
                ? ScriptedAnswer.of("x".repeat(600), "y".repeat(600)).hang()
                : ScriptedAnswer.of("That is all."));
        Agent agent = agents(small, AgentHooks.none()).create(header(), profile(model));
        QueuedInput question = agent.followUp("Look.");
        until(() -> assertThat(types(agent.id()))
                .filteredOn(EventType.ASSISTANT_CHUNK::equals)
                .hasSize(2));

        assertThat(agent.cancel()).isTrue();

        assertThat(outcome(question).reason()).isEqualTo(TurnEndReason.aborted("user"));
        assertThat(types(agent.id())).doesNotContain(EventType.ASSISTANT_MESSAGE);
        assertThat(outcome(agent.followUp("Again.")).reason().kind()).isEqualTo("completed");
    }

    @Test
    void a_hook_with_much_to_say_has_its_reason_cut() {
        CommandStack small = start(CommandStack.on(faulty).limits(new EventLimits(1_024)));
        AgentHooks hooks = AgentHooks.none().beforeStep(step -> {
            if (step.turn() == 1) {
                throw new IllegalStateException("no ".repeat(1_024));
            }
        });
        Agent agent = agents(small, hooks)
                .create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("That is all."))));

        TurnEndReason reason = outcome(agent.followUp("Look.")).reason();

        assertThat(reason.errorMessage().orElseThrow()).contains("no no").contains("characters more");
        assertThat(ends(agent.id()).get(0).reason()).isEqualTo(reason);
        assertThat(outcome(agent.followUp("Again.")).reason().kind()).isEqualTo("completed");
    }

    @Test
    void a_system_prompt_that_is_no_event_ends_each_turn_and_says_so() {
        CommandStack small = start(CommandStack.on(faulty).limits(new EventLimits(1_024)));
        ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("That is all."));
        Agent agent =
                agents(small, AgentHooks.none()).create(header(), profile(model).system("Be kind. ".repeat(200)));

        for (String text : new String[] {"Look.", "Again."}) {
            TurnEndReason reason = outcome(agent.followUp(text)).reason();
            assertThat(reason.kind()).isEqualTo("error");
            assertThat(reason.errorMessage().orElseThrow()).contains("limit.event-bytes");
        }
        assertThat(types(agent.id())).contains(EventType.USER_MESSAGE).doesNotContain(EventType.ASSISTANT_CHUNK);
    }
}
