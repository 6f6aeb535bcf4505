package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolOutput;
import io.surfacelog.surface.StructureException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A tool or a model that writes into the turn that it is run by. */
class MeddlingTest extends AgentSuite {

    private final AtomicReference<SessionId> session = new AtomicReference<>();

    /** What is refused where it is appended is the meddler's own failure, and no harm to the turn. */
    static List<Consumer<MeddlingTest>> refused() {
        return List.of(
                test -> test.stack.commands.append(test.session.get(), StepEnd.of(1, 1)),
                test -> test.stack.commands.append(test.session.get(), TurnStart.of(2)),
                test -> test.stack.commands.appendAll(
                        test.session.get(),
                        List.of(
                                EventDraft.of(StepEnd.of(1, 1)),
                                EventDraft.of(TurnEnd.of(1, TurnEndReason.completed())))));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void a_tool_that_would_end_what_runs_it_fails_alone(Consumer<MeddlingTest> meddling) {
        Agent agent = agent(script(), meddling);

        TurnOutcome outcome = outcome(agent.followUp("Try."));

        assertThat(outcome.reason()).isEqualTo(TurnEndReason.completed());
        assertThat(agent.isDisposed()).isFalse();
    }

    @Test
    void a_tool_that_answers_its_own_call_ends_the_agent_and_leaves_its_result_and_no_open_turn() throws Exception {
        Agent agent = agent(
                script(),
                test -> test.stack.commands.append(
                        test.session.get(),
                        ToolResult.of(1, 1, ToolResultBlock.of("a", "mine")),
                        SurfaceIntent.append()));

        assertEndsAndCanBeResumed(agent, agent.followUp("Try."));

        assertThat(events(agent.id(), EventType.TOOL_RESULT))
                .singleElement()
                .satisfies(result -> assertThat(result.data().text()).contains("mine"));
    }

    @Test
    void a_model_that_ends_its_step_ends_the_agent_and_leaves_no_open_turn() throws Exception {
        ModelPort script = script();
        Agent agent = agent(
                (call, sink) -> {
                    stack.commands.append(session.get(), StepEnd.of(1, 1));
                    script.stream(call, sink);
                },
                test -> {});

        assertEndsAndCanBeResumed(agent, agent.followUp("Try."));
    }

    @Test
    void a_model_that_ends_its_turn_ends_the_agent_and_leaves_no_open_turn() throws Exception {
        ModelPort script = script();
        Agent agent = agent(
                (call, sink) -> {
                    stack.commands.appendAll(
                            session.get(),
                            List.of(
                                    EventDraft.of(StepEnd.of(1, 1)),
                                    EventDraft.of(TurnEnd.of(1, TurnEndReason.completed()))));
                    script.stream(call, sink);
                },
                test -> {});

        assertEndsAndCanBeResumed(agent, agent.followUp("Try."));
    }

    private Agent agent(ModelPort model, Consumer<MeddlingTest> meddling) {
        Tool tool = tool("odd", call -> {
            meddling.accept(this);
            return ToolOutput.text("theirs");
        });
        Agent agent = agents().create(header(), profile(model, tool));
        session.set(agent.id());
        return agent;
    }

    private static ScriptedModel script() {
        return ScriptedModel.of(ScriptedAnswer.begin().toolCall("a", "odd", "{}"), ScriptedAnswer.of("Done."));
    }

    private void assertEndsAndCanBeResumed(Agent agent, QueuedInput input) throws Exception {
        assertThatThrownBy(() -> input.outcome().get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StructureException.class);
        agent.close();

        assertThat(stack.queries.surface(agent.id()).hasOpenTurn()).isFalse();
        assertThat(events(agent.id(), EventType.TURN_END)).hasSize(1);
        assertThat(told)
                .anySatisfy(one -> assertThat(one)
                        .isInstanceOfSatisfying(
                                AgentError.class,
                                error -> assertThat(error.failure()).isInstanceOf(StructureException.class)));

        Agent again = agents().resume(agent.id(), profile(ScriptedModel.of(ScriptedAnswer.of("Here."))));
        assertThat(outcome(again.followUp("Still there?")).turn()).isEqualTo(2);
    }

    private List<SessionEvent> events(SessionId id, String type) {
        return stack.queries.events(id, 0, 1_000).stream()
                .filter(event -> event.type().equals(type))
                .toList();
    }
}
