package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Message;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.ToolOutput;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A turn that is cancelled ends as it was told to, wherever it stood, and leaves nothing open. */
class AgentCancelTest extends AgentSuite {

    private static final TurnEndReason BY_USER = TurnEndReason.aborted("user");

    @Test
    void while_the_model_streams_keeps_what_was_shown() {
        ScriptedModel model = ScriptedModel.of(ScriptedAnswer.begin()
                .text("Let me ", "see")
                .toolCall("a", "echo", "{")
                .hang());
        Agent agent = agents().create(header(), profile(model, echo("echo")));
        QueuedInput question = agent.followUp("Look.");
        until(() -> assertThat(types(agent.id()))
                .filteredOn(EventType.ASSISTANT_CHUNK::equals)
                .hasSize(3));

        assertThat(agent.cancel()).isTrue();

        assertThat(outcome(question).reason()).isEqualTo(BY_USER);
        assertThat(stack.queries.messages(agent.id())).extracting(Message::text).containsExactly("Look.", "Let me see");
        assertThat(stack.queries.messages(agent.id()).get(1).toolCalls()).isEmpty();
    }

    @Test
    void a_model_that_does_not_listen_is_left_behind_and_heard_no_more() {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        Agent agent = agents().create(header(), profile((call, sink) -> {
            asked.countDown();
            awaitDeaf(never);
            try {
                sink.accept(io.surfacelog.event.StreamChunk.text(0, "too late"));
            } finally {
                refused.countDown();
            }
        }));
        QueuedInput question = agent.followUp("Look.");
        Bounded.await(asked);

        agent.cancel(TurnEndReason.aborted("parent"));

        assertThat(outcome(question).reason()).isEqualTo(TurnEndReason.aborted("parent"));
        List<String> before = types(agent.id());
        never.countDown();
        Bounded.await(refused);
        assertThat(types(agent.id())).isEqualTo(before);
    }

    @Test
    void while_a_tool_runs_answers_all_calls() {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(ScriptedAnswer.begin()
                                        .toolCall("a", "hangs", "{}")
                                        .toolCall("b", "echo", "{}")),
                                tool("hangs", call -> {
                                    running.countDown();
                                    awaitDeaf(never);
                                    return ToolOutput.text("too late");
                                }),
                                echo("echo")));
        QueuedInput question = agent.followUp("Both.");
        Bounded.await(running);

        agent.cancel();

        assertThat(outcome(question).reason()).isEqualTo(BY_USER);
        assertThat(stored(agent.id()).stream()
                        .filter(event -> event.type().equals(EventType.TOOL_RESULT))
                        .map(event -> (ToolResult) event.payload()))
                .extracting(result ->
                        result.callId() + " " + result.error().orElseThrow().code())
                .containsExactly("a TOOL_CANCELLED", "b TOOL_CANCELLED");
        assertThat(types(agent.id()).stream().filter(EventType.TOOL_CALL::equals))
                .hasSize(1);
        never.countDown();
    }

    @Test
    void while_it_waits_to_try_again_ends_at_once() {
        ScriptedModel model = ScriptedModel.answering(call ->
                ScriptedAnswer.failing(ModelException.of(ModelException.Kind.TRANSIENT, "OVERLOADED", "try later")));
        Agent agent = agents().create(
                        header(), profile(model).retries(new RetryPolicy(5, Duration.ofHours(1), Duration.ofHours(1))));
        QueuedInput question = agent.followUp("Try.");
        until(() -> assertThat(types(agent.id())).contains("llm/retry"));

        agent.cancel();

        assertThat(outcome(question).reason()).isEqualTo(BY_USER);
        assertThat(model.calls()).hasSize(1);
    }

    @Test
    void by_a_hook_before_the_request_asks_no_model() {
        ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("ok"));
        Agent agent = agents(AgentHooks.none().beforeStep(step -> step.agent().cancel()))
                .create(header(), profile(model));

        assertThat(outcome(agent.followUp("Look.")).reason()).isEqualTo(BY_USER);
        assertThat(model.calls()).isEmpty();
    }

    @Test
    void while_others_overtake_its_request_ends_the_turn_and_not_the_agent() {
        CommandStack there = startAnotherProcess();
        AtomicBoolean streaming = new AtomicBoolean();
        AtomicReference<Agent> running = new AtomicReference<>();
        faulty.beforeCommit(writes -> {
            if (streaming.getAndSet(false)) {
                there.commands.append(running.get().id(), UserMessage.of("from elsewhere"), SurfaceIntent.append());
                running.get().cancel();
            }
        });
        ScriptedModel model = ScriptedModel.answering(call -> {
            streaming.set(call.turn() == 1);
            return ScriptedAnswer.of("In Lyon.");
        });
        Agent agent = agents().create(header(), profile(model));
        running.set(agent);

        assertThat(outcome(agent.followUp("Look.")).reason()).isEqualTo(BY_USER);
        assertThat(outcome(agent.followUp("Again.")).reason()).isEqualTo(TurnEndReason.completed());
        assertThat(stack.queries.messages(agent.id()))
                .extracting(Message::text)
                .containsExactly("Look.", "from elsewhere", "Again.", "In Lyon.");
    }

    @Test
    void the_next_turn_is_not_cancelled_with_it() {
        ScriptedModel model = ScriptedModel.of(ScriptedAnswer.begin().hang(), ScriptedAnswer.of("Here."));
        Agent agent = agents().create(header(), profile(model));
        QueuedInput first = agent.followUp("one");
        QueuedInput second = agent.followUp("two");
        until(() -> assertThat(model.calls()).hasSize(1));

        agent.cancel();

        assertThat(outcome(first).reason()).isEqualTo(BY_USER);
        assertThat(outcome(second).reason()).isEqualTo(TurnEndReason.completed());
    }

    @Test
    void nothing_is_cancelled_where_nothing_runs() {
        Agent agent = agents().create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));

        assertThat(agent.cancel()).isFalse();
        outcome(agent.followUp("Look."));
        until(() -> assertThat(agent.status()).isEqualTo(AgentStatus.IDLE));
        assertThat(agent.cancel()).isFalse();
        assertThatThrownBy(() -> agent.cancel(TurnEndReason.completed()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("aborted");
    }

    @Test
    void what_is_queued_can_be_taken_back_until_a_turn_has_it() {
        ScriptedModel model = ScriptedModel.of(ScriptedAnswer.begin().hang());
        Agent agent = agents().create(header(), profile(model));
        QueuedInput first = agent.followUp("one");
        QueuedInput second = agent.followUp("two");
        until(() -> assertThat(model.calls()).hasSize(1));

        assertThat(agent.discard(second)).isTrue();
        assertThat(agent.discard(second)).isFalse();
        assertThat(agent.discard(first)).isFalse();

        assertThatThrownBy(() -> outcome(second))
                .satisfiesAnyOf(
                        e -> assertThat(e).isInstanceOf(CancellationException.class),
                        e -> assertThat(e)
                                .isInstanceOf(CompletionException.class)
                                .hasCauseInstanceOf(CancellationException.class));
        agent.cancel();
        outcome(first);
        assertThat(stack.queries.messages(agent.id())).extracting(Message::text).containsExactly("one");
    }
}
