package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.FinishReason;
import io.surfacelog.model.ModelCancelledException;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolDefinition;
import io.surfacelog.model.ToolOutput;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a turn of an agent leaves in the log. */
class AgentTurnTest extends AgentSuite {

    @Test
    void an_answer_without_calls_is_one_step() {
        Agent agent = agents().create(header(), profile(ScriptedModel.of(ScriptedAnswer.of("In ", "Lyon."))));

        TurnOutcome outcome = outcome(agent.followUp("Where is my parcel?"));

        assertThat(outcome.turn()).isEqualTo(1);
        assertThat(outcome.reason()).isEqualTo(TurnEndReason.completed());
        assertThat(types(agent.id()))
                .containsExactly(
                        EventType.TURN_START,
                        EventType.USER_MESSAGE,
                        EventType.STEP_START,
                        EventType.REQUEST_HEADER,
                        EventType.REQUEST_CONTEXT,
                        EventType.ASSISTANT_CHUNK,
                        EventType.ASSISTANT_CHUNK,
                        EventType.ASSISTANT_CHUNK,
                        EventType.ASSISTANT_MESSAGE,
                        EventType.STEP_END,
                        EventType.TURN_END);
        assertThat(outcome.startSeq()).isZero();
        assertThat(outcome.endSeq()).isEqualTo(10);
        assertThat(stack.queries.messages(agent.id()))
                .extracting(Message::text)
                .containsExactly("Where is my parcel?", "In Lyon.");
    }

    @Test
    void calls_are_run_and_answered_in_their_order() {
        CountDownLatch secondRan = new CountDownLatch(1);
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(
                                        ScriptedAnswer.begin()
                                                .toolCall("a", "slow", "{\"n\":1}")
                                                .toolCall("b", "quick", "{\"n\":2}"),
                                        ScriptedAnswer.of("Done.")),
                                parallel("slow", call -> {
                                    secondRan.await(); // only beside the other one can it end
                                    return ToolOutput.text("slow");
                                }),
                                parallel("quick", call -> {
                                    secondRan.countDown();
                                    return ToolOutput.text("quick");
                                })));

        outcome(agent.followUp("Do both."));

        List<ToolResult> results = results(agent);
        assertThat(results).extracting(ToolResult::callId).containsExactly("a", "b");
        assertThat(types(agent.id()))
                .containsSubsequence(
                        EventType.TOOL_CALL,
                        EventType.TOOL_CALL,
                        EventType.TOOL_RESULT,
                        EventType.TOOL_RESULT,
                        EventType.STEP_END,
                        EventType.STEP_START);
    }

    @Test
    void a_tool_that_may_not_run_beside_others_runs_alone() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(
                                        ScriptedAnswer.begin()
                                                .toolCall("a", "alone", "{}")
                                                .toolCall("b", "alone", "{}")
                                                .toolCall("c", "alone", "{}"),
                                        ScriptedAnswer.of("Done.")),
                                tool("alone", call -> {
                                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                                    stack.queries.messages(call.session());
                                    running.decrementAndGet();
                                    return ToolOutput.text("ok");
                                })));

        outcome(agent.followUp("Three times."));

        assertThat(most.get()).isEqualTo(1);
        assertThat(results(agent)).extracting(ToolResult::callId).containsExactly("a", "b", "c");
    }

    @Test
    void what_is_no_call_of_a_tool_is_answered_with_an_error_and_the_turn_goes_on() {
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(
                                        ScriptedAnswer.begin()
                                                .toolCall("a", "unheard_of", "{}")
                                                .toolCall("b", "echo", "{no json")
                                                .toolCall("c", "echo", "[1]")
                                                .toolCall("d", "echo", "")
                                                .toolCall("e", "throws", "{}"),
                                        ScriptedAnswer.of("I see.")),
                                echo("echo"),
                                tool("throws", call -> {
                                    throw new IllegalStateException("out of order", new RuntimeException("the belt"));
                                })));

        TurnOutcome outcome = outcome(agent.followUp("Try."));

        assertThat(outcome.reason()).isEqualTo(TurnEndReason.completed());
        assertThat(results(agent))
                .extracting(result -> result.error().map(error -> error.code()).orElse("-"))
                .containsExactly(
                        "TOOL_NOT_FOUND", "TOOL_ARGUMENTS_INVALID", "TOOL_ARGUMENTS_INVALID", "-", "TOOL_FAILED");
        assertThat(results(agent).get(4).block().json().toText()).contains("out of order", "the belt");
        assertThat(stored(agent.id()).stream()
                        .filter(event -> event.type().equals(EventType.TOOL_CALL))
                        .count())
                .as("what could not start has not started")
                .isEqualTo(2);
    }

    @Test
    void a_result_of_a_megabyte_is_kept_whole_and_one_that_cannot_be_kept_is_told() {
        String large = "x".repeat(1 << 20);
        String tooLarge = "x".repeat(17 << 20);
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(
                                        ScriptedAnswer.begin()
                                                .toolCall("a", "large", "{}")
                                                .toolCall("b", "too_large", "{}"),
                                        ScriptedAnswer.of("Quite a lot.")),
                                tool("large", call -> ToolOutput.text(large)),
                                tool("too_large", call -> ToolOutput.text(tooLarge))));

        assertThat(outcome(agent.followUp("Read all.")).reason()).isEqualTo(TurnEndReason.completed());

        assertThat(results(agent).get(0).block().content().get(0).json().toText())
                .contains(large);
        assertThat(results(agent).get(1).error().orElseThrow().code()).isEqualTo("TOOL_RESULT_REFUSED");
        assertThat(results(agent).get(1).block().json().toText()).contains("limit.event-bytes");
    }

    @Test
    void a_tool_that_hangs_is_left_behind_when_its_time_is_up() {
        CountDownLatch never = new CountDownLatch(1);
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(
                                        ScriptedAnswer.begin().toolCall("a", "hangs", "{}"),
                                        ScriptedAnswer.of("It took too long.")),
                                Tool.of(ToolDefinition.of("hangs", "Hangs.").timeout(Duration.ofMillis(20)), call -> {
                                    awaitDeaf(never);
                                    return ToolOutput.text("too late");
                                })));

        assertThat(outcome(agent.followUp("Wait.")).reason()).isEqualTo(TurnEndReason.completed());
        assertThat(results(agent).get(0).error().orElseThrow().code()).isEqualTo("TOOL_TIMED_OUT");
        never.countDown();
    }

    @Test
    void each_follow_up_is_a_turn_of_its_own_in_the_order_they_came() {
        Agent agent = agents().create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));

        QueuedInput first = agent.followUp("one");
        QueuedInput second = agent.followUp("two");
        QueuedInput third = agent.followUp("three");

        assertThat(outcome(third).turn()).isEqualTo(3);
        assertThat(outcome(first).turn()).isEqualTo(1);
        assertThat(outcome(second).turn()).isEqualTo(2);
        assertThat(stack.queries.messages(agent.id()))
                .extracting(Message::text)
                .containsExactly("one", "ok", "two", "ok", "three", "ok");
    }

    @Test
    void what_steers_joins_before_the_next_step_and_prolongs_the_turn() {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch steered = new CountDownLatch(1);
        ScriptedModel model = ScriptedModel.builder()
                .answer(call -> {
                    asked.countDown();
                    awaitDeaf(steered);
                    return ScriptedAnswer.of("first");
                })
                .text("second")
                .build();
        Agent agent = agents().create(header(), profile(model));
        QueuedInput question = agent.followUp("Look.");
        Bounded.await(asked);

        QueuedInput remark = agent.steer("Only this year's.");
        QueuedInput context = agent.inject(ContextMessage.of("It is 2026."));
        steered.countDown();

        assertThat(outcome(question)).isEqualTo(outcome(remark)).isEqualTo(outcome(context));
        assertThat(stack.queries.messages(agent.id()))
                .extracting(Message::text)
                .containsExactly("Look.", "first", "It is 2026.", "Only this year's.", "second");
        assertThat(ends(agent.id())).hasSize(1);
    }

    @Test
    void what_steers_while_nothing_runs_begins_a_turn_and_context_does_not() {
        ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("ok"));
        Agent agent = agents().create(header(), profile(model));
        agent.inject(ContextMessage.of("It is 2026."));

        assertThat(agent.status()).isEqualTo(AgentStatus.IDLE);
        assertThat(model.calls()).isEmpty();

        outcome(agent.steer("Look."));

        assertThat(types(agent.id()))
                .containsSubsequence(EventType.TURN_START, EventType.STEERING_MESSAGE, EventType.CONTEXT_MESSAGE);
    }

    @Test
    void a_failed_attempt_is_made_again_in_the_same_step() {
        ScriptedModel model = ScriptedModel.of(
                ScriptedAnswer.of("half an")
                        .fail(ModelException.of(ModelException.Kind.TRANSIENT, "RESET", "the line broke")),
                ScriptedAnswer.begin().cutOff(),
                ScriptedAnswer.of("A whole answer."));
        Agent agent = agents().create(header(), profile(model));

        assertThat(outcome(agent.followUp("Try.")).reason()).isEqualTo(TurnEndReason.completed());

        assertThat(model.calls()).hasSize(3);
        assertThat(stored(agent.id()).stream()
                        .filter(event -> event.type().equals("llm/retry"))
                        .count())
                .isEqualTo(2);
        assertThat(stack.queries.messages(agent.id()))
                .extracting(Message::text)
                .containsExactly("Try.", "A whole answer.");
    }

    @Test
    void a_model_that_goes_on_failing_ends_the_turn_with_its_error() {
        ModelException failure = new ModelException(
                ModelException.Kind.TRANSIENT,
                "OVERLOADED",
                "try later",
                529,
                null,
                "req-7",
                new java.io.IOException("reset"));
        ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.failing(failure));
        Agent agent = agents().create(header(), profile(model));

        TurnEndReason reason = outcome(agent.followUp("Try.")).reason();

        assertThat(model.calls()).hasSize(1 + AT_ONCE.maxRetries());
        assertThat(reason.errorCode()).contains("OVERLOADED");
        assertThat(reason.json().toText()).contains("try later", "reset", "529", "req-7");
        assertThat(agent.isDisposed()).isFalse();
    }

    @Test
    void a_model_that_sends_garbage_or_breaks_is_told_in_the_turn_end() {
        Agent agent = agents().create(header(), profile((call, sink) -> {
            throw new StackOverflowError("of the port");
        }));

        TurnEndReason reason = outcome(agent.followUp("Try.")).reason();

        assertThat(reason.errorCode()).contains("MODEL_PORT_FAILED");
        assertThat(reason.json().toText()).contains("of the port");
    }

    @Test
    void a_model_that_says_nothing_for_too_long_is_given_up() {
        Agent agent = agents().create(
                        header(),
                        profile(ScriptedModel.answering(call ->
                                        ScriptedAnswer.begin().text("hm").hang()))
                                .retries(RetryPolicy.never())
                                .idleTimeout(Duration.ofMillis(30)));

        TurnEndReason reason = outcome(agent.followUp("Try.")).reason();

        assertThat(reason.errorCode()).contains("MODEL_SILENT");
        assertThat(stack.queries.messages(agent.id())).extracting(Message::text).containsExactly("Try.", "hm");
    }

    @Test
    void an_answer_that_was_cut_at_its_limit_ends_the_turn_and_runs_no_tool() {
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(ScriptedAnswer.begin()
                                        .text("I will")
                                        .toolCall("a", "echo", "{\"n\":")
                                        .finish(FinishReason.MAX_TOKENS)),
                                echo("echo")));

        assertThat(outcome(agent.followUp("Go on.")).reason()).isEqualTo(TurnEndReason.maxTokens());
        assertThat(types(agent.id())).doesNotContain(EventType.TOOL_CALL);
    }

    @Test
    void a_turn_has_no_more_steps_than_it_may() {
        Agent agent = agents().create(
                        header(),
                        profile(
                                        ScriptedModel.answering(
                                                call -> ScriptedAnswer.begin().toolCall("again", "echo", "{}")),
                                        echo("echo"))
                                .maxSteps(3));

        assertThat(outcome(agent.followUp("For ever.")).reason().kind()).isEqualTo("step-limit");
        assertThat(types(agent.id()).stream().filter(EventType.STEP_START::equals))
                .hasSize(3);
    }

    @Test
    void blocked_input_never_reaches_the_log_or_the_model() {
        ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("ok"));
        Agent agent = agents(AgentHooks.none()
                        .inputChecks((live, message) ->
                                message.text().contains("4111") ? Optional.of("no card numbers") : Optional.empty()))
                .create(header(), profile(model));

        assertThat(outcome(agent.followUp("My card is 4111")).reason()).isEqualTo(TurnEndReason.blocked());
        assertThat(types(agent.id())).containsExactly(EventType.TURN_START, EventType.TURN_END);
        assertThat(model.calls()).isEmpty();

        assertThat(outcome(agent.followUp("Hello")).turn()).isEqualTo(2);
    }

    @Test
    void what_a_hook_appends_is_in_the_request_and_a_hook_can_stop_the_turn() {
        ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("ok"));
        Agent agent = agents(AgentHooks.none().beforeStep(step -> {
                    if (step.turn() == 2) {
                        step.stop("the desk is closed");
                    } else {
                        step.driver().append(UserMessage.of("P.S."), SurfaceIntent.append());
                    }
                }))
                .create(header(), profile(model));

        outcome(agent.followUp("Hello"));
        TurnOutcome second = outcome(agent.followUp("Still there?"));

        assertThat(model.calls()).hasSize(1);
        assertThat(model.calls().get(0).request().messages())
                .extracting(Message::text)
                .containsExactly("Hello", "P.S.");
        assertThat(second.reason()).isEqualTo(TurnEndReason.abortedByHook("the desk is closed"));
    }

    @Test
    void a_hook_that_throws_ends_the_turn_with_its_error_and_the_agent_goes_on() {
        Agent agent = agents(AgentHooks.none().beforeStep(step -> {
                    if (step.turn() == 1) {
                        throw new IllegalArgumentException("no such rule");
                    }
                }))
                .create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));

        TurnEndReason first = outcome(agent.followUp("Hello")).reason();

        assertThat(first.kind()).isEqualTo(TurnEndReason.ERROR);
        assertThat(first.json().toText()).contains("no such rule");
        assertThat(told).anyMatch(AgentError.class::isInstance);
        assertThat(outcome(agent.followUp("Again")).reason()).isEqualTo(TurnEndReason.completed());
    }

    @Test
    void a_request_that_is_too_long_is_made_once_more_if_a_hook_has_made_it_shorter() {
        ModelException overflow =
                ModelException.of(ModelException.Kind.CONTEXT_OVERFLOW, "CONTEXT_OVERFLOW", "too long");
        ScriptedModel model = ScriptedModel.of(
                ScriptedAnswer.failing(overflow), ScriptedAnswer.of("Shorter."), ScriptedAnswer.failing(overflow));
        Agent agent = agents(AgentHooks.none().beforeStep(step -> {
                    if (step.cause() == UpcomingStep.Cause.CONTEXT_OVERFLOW && step.turn() == 1) {
                        long seq = step.queries().surface(step.agent().id()).nodeSeqs()[0];
                        step.driver()
                                .append(
                                        UserMessage.of("short"),
                                        SurfaceIntent.replace(seq, seq).citing(seq));
                    }
                }))
                .create(header(), profile(model));

        assertThat(outcome(agent.followUp("very long")).reason()).isEqualTo(TurnEndReason.completed());
        assertThat(model.calls().get(1).request().messages())
                .extracting(Message::text)
                .containsExactly("short");
        assertThat(outcome(agent.followUp("again")).reason().errorCode()).contains("CONTEXT_OVERFLOW");
        assertThat(model.calls()).hasSize(3);
    }

    @Test
    void turns_and_headers_go_on_after_resume_and_fork() {
        ScriptedModel model = ScriptedModel.answering(call -> ScriptedAnswer.of("ok"));
        Agents agents = agents();
        Agent agent = agents.create(header(), profile(model));
        outcome(agent.followUp("one"));
        outcome(agent.followUp("two"));
        agent.close();

        Agent again = agents.resume(agent.id(), profile(model));
        assertThat(outcome(again.followUp("three")).turn()).isEqualTo(3);
        outcome(again.followUp("four"));
        again.close();
        assertThat(reasons(again)).containsExactly(RequestHeader.INITIAL, RequestHeader.RESUME);

        Agent changed = agents.resume(agent.id(), profile(model).system("Another prompt."));
        outcome(changed.followUp("five"));
        Agent child = agents.resume(stack.commands.fork(agent.id()).session(), profile(model));
        assertThat(outcome(child.followUp("six")).turn()).isEqualTo(6);
        assertThat(stack.queries.messages(child.id())).hasSize(12);
    }

    @Test
    void an_attempt_that_others_overtook_is_made_anew() {
        ScriptedModel model = ScriptedModel.builder()
                .answer(call -> {
                    stack.commands.append(call.session(), UserMessage.of("from elsewhere"), SurfaceIntent.append());
                    return ScriptedAnswer.of("To one message.");
                })
                .answer(call -> {
                    stack.commands.append(call.session(), RequestContext.of("example", "helper-1", 8_000L));
                    return ScriptedAnswer.of("To two messages.");
                })
                .build();
        Agent agent = agents().create(header(), profile(model));

        outcome(agent.followUp("Hello"));

        assertThat(stack.queries.messages(agent.id()))
                .extracting(Message::text)
                .containsExactly("Hello", "from elsewhere", "To two messages.");
        assertThat(model.calls()).hasSize(2);
    }

    @Test
    void an_attempt_that_others_overtake_each_time_ends_its_turn_and_not_the_agent() {
        AtomicInteger asked = new AtomicInteger();
        ModelPort heedless = (call, sink) -> {
            asked.incrementAndGet();
            if (call.turn() == 1) {
                stack.commands.append(call.session(), UserMessage.of("from elsewhere"), SurfaceIntent.append());
            }
            for (StreamChunk chunk : List.of(StreamChunk.text(0, "Yes."), StreamChunk.finish("stop"))) {
                try {
                    sink.accept(chunk);
                } catch (ModelCancelledException e) {
                    assertThat(call.turn())
                            .as("this port goes on as if it had been heard")
                            .isOne();
                }
            }
        };
        Agent agent = agents().create(header(), profile(heedless));

        TurnEndReason reason = outcome(agent.followUp("Hello")).reason();

        assertThat(reason.json().toText()).contains("derive the request anew");
        assertThat(asked).hasValue(9);
        assertThat(outcome(agent.followUp("And now?")).reason()).isEqualTo(TurnEndReason.completed());
    }

    @Test
    void a_chunk_that_cannot_be_kept_ends_its_turn_and_not_the_agent() {
        ScriptedModel model = ScriptedModel.of(
                ScriptedAnswer.begin().text("hm ", "x".repeat(17 << 20)), ScriptedAnswer.of("Shorter."));
        Agent agent = agents().create(header(), profile(model));

        TurnEndReason reason = outcome(agent.followUp("All of it.")).reason();

        assertThat(reason.errorCode()).contains("CHUNK_REFUSED");
        assertThat(reason.json().toText()).contains("limit.event-bytes");
        assertThat(model.calls()).as("asking again brings the same").hasSize(1);
        assertThat(outcome(agent.followUp("Shorter.")).reason()).isEqualTo(TurnEndReason.completed());
    }

    @Test
    void an_answer_that_cannot_be_kept_ends_its_turn_and_not_the_agent() {
        CommandStack small = start(CommandStack.on(faulty).limits(new EventLimits(20_000)));
        String[] parts = new String[40];
        Arrays.fill(parts, "x".repeat(1_000));
        ScriptedModel model = ScriptedModel.of(ScriptedAnswer.of(parts), ScriptedAnswer.of("Shorter."));
        Agent agent = agents(small, AgentHooks.none()).create(header(), profile(model));

        assertThat(outcome(agent.followUp("All of it.")).reason().errorCode()).contains("ANSWER_REFUSED");
        assertThat(outcome(agent.followUp("Shorter.")).reason()).isEqualTo(TurnEndReason.completed());
    }

    @Test
    void input_that_cannot_be_kept_is_turned_away_and_the_agent_goes_on() {
        String tooLarge = "x".repeat(17 << 20);
        Agent agent = agents().create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));

        TurnEndReason reason = outcome(agent.followUp(tooLarge)).reason();
        QueuedInput context = agent.inject(ContextMessage.of(tooLarge));
        QueuedInput remark = agent.steer("Go on.");

        assertThat(reason.json().toText()).contains("limit.event-bytes");
        assertThat(outcome(remark).reason()).isEqualTo(TurnEndReason.completed());
        assertThatThrownBy(() -> outcome(context)).hasCauseInstanceOf(AdmissionException.class);
        assertThat(told).contains(new AgentQueued(agent, AgentQueued.Change.DISCARDED, context));
    }

    @Test
    void a_hook_that_throws_an_error_ends_its_turn_and_not_the_agent() {
        Agent agent = agents(AgentHooks.none().beforeStep(step -> {
                    if (step.turn() == 1) {
                        throw new NoClassDefFoundError("of the hook");
                    }
                }))
                .create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));

        assertThat(outcome(agent.followUp("Hello")).reason().json().toText()).contains("of the hook");
        assertThat(outcome(agent.followUp("Again")).reason()).isEqualTo(TurnEndReason.completed());
    }

    @Test
    void who_injects_whenever_something_joins_does_not_keep_the_turn_from_its_step() {
        Agents agents = agents(AgentHooks.none().listeners(one -> {
            if (one instanceof AgentQueued queued && queued.change() == AgentQueued.Change.CLAIMED) {
                queued.agent().inject(ContextMessage.of("And another thing."));
            }
        }));
        Agent agent = agents.create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));

        assertThat(outcome(agent.followUp("Hello")).reason()).isEqualTo(TurnEndReason.completed());
    }

    @Test
    void a_profile_takes_nothing_that_no_request_header_takes() {
        AgentProfile profile = profile(ScriptedModel.of());

        assertThatThrownBy(() -> profile.reasoningEffort("")).isInstanceOf(AdmissionException.class);
        assertThatThrownBy(() -> profile.temperature(Double.NaN)).isInstanceOf(RuntimeException.class);
    }

    private List<ToolResult> results(Agent agent) {
        return stored(agent.id()).stream()
                .filter(event -> event.type().equals(EventType.TOOL_RESULT))
                .map(event -> (ToolResult) event.payload())
                .toList();
    }

    private List<String> reasons(Agent agent) {
        return stored(agent.id()).stream()
                .map(SessionEvent::payload)
                .filter(RequestHeader.class::isInstance)
                .map(header -> ((RequestHeader) header).reason().orElse(""))
                .toList();
    }
}
