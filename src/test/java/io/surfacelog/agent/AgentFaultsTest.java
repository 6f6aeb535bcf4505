package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.DriveSession;
import io.surfacelog.command.LeaseLostException;
import io.surfacelog.event.EventType;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.model.ChunkSink;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolDefinition;
import io.surfacelog.model.ToolOutput;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Models, tools and listeners that fail in ways nobody would think of: the turn ends, and the agent goes on. */
class AgentFaultsTest extends AgentSuite {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("there is none");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("there is none");
        }
    }

    /** Longer than an event may be. */
    private static String endless() {
        return "\ud83d\ude00".repeat(5_000_000);
    }

    /** A port may come from where nobody checks for null. */
    @SuppressWarnings("NullAway")
    private static void sendNothing(ChunkSink sink) {
        sink.accept(null);
    }

    @SuppressWarnings("NullAway")
    private static ModelException withoutCode() {
        return ModelException.of(ModelException.Kind.PERMANENT, null, "no code");
    }

    private static ModelPort failing(RuntimeException failure) {
        return (call, sink) -> {
            throw failure;
        };
    }

    static Stream<Arguments> models() {
        return Stream.of(
                Arguments.of("MODEL_PORT_FAILED", failing(new Unreadable())),
                Arguments.of("MODEL_PORT_FAILED", failing(new IllegalStateException(endless()))),
                Arguments.of("MODEL_PORT_FAILED", failing(new IllegalStateException("wrapped", new Unreadable()))),
                Arguments.of("MODEL_PORT_FAILED", (ModelPort) (call, sink) -> sendNothing(sink)),
                Arguments.of("MODEL_PORT_FAILED", (ModelPort) (call, sink) -> {
                    throw withoutCode();
                }),
                Arguments.of("WORDY", failing(ModelException.of(ModelException.Kind.TRANSIENT, "WORDY", endless()))),
                Arguments.of(
                        "LATER",
                        failing(new ModelException(
                                ModelException.Kind.TRANSIENT, "LATER", "later", 503, FOREVER, endless(), null))));
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("models")
    void whatever_a_model_fails_with_ends_its_turn_and_not_the_agent(String code, ModelPort model) {
        Agent agent = agents().create(header(), profile(model));

        assertThat(outcome(agent.followUp("Try.")).reason().errorCode()).contains(code);
        assertThat(outcome(agent.followUp("Again.")).turn()).isEqualTo(2);
    }

    @Test
    void how_a_model_fails_is_told_once_with_its_causes_and_cut_where_it_is_too_long() {
        Agent agent = agents().create(
                        header(),
                        profile(failing(
                                new IllegalStateException("x".repeat(100_000), new IllegalStateException("why")))));

        TurnEndReason reason = outcome(agent.followUp("Try.")).reason();

        assertThat(reason.json().toText())
                .contains("the model port failed; caused by IllegalStateException: xxx", "characters more)")
                .hasSizeLessThan(20_000);
    }

    static Stream<Tool> tools() {
        return Stream.of(
                tool("odd", call -> {
                    throw new Unreadable();
                }),
                tool("odd", call -> {
                    throw new IllegalStateException(endless());
                }),
                Tool.of(ToolDefinition.of("odd", "Fails at leisure.").timeout(FOREVER), call -> {
                    throw new IllegalStateException("odd");
                }));
    }

    @ParameterizedTest
    @MethodSource("tools")
    void whatever_a_tool_fails_with_is_its_result(Tool tool) {
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(
                                        ScriptedAnswer.begin().toolCall("a", "odd", "{}"), ScriptedAnswer.of("Done.")),
                                tool));

        assertThat(outcome(agent.followUp("Try.")).reason()).isEqualTo(TurnEndReason.completed());
        assertThat(stored(agent.id()))
                .filteredOn(event -> event.type().equals(EventType.TOOL_RESULT))
                .singleElement()
                .satisfies(event -> assertThat(event.data().toString()).contains("TOOL_FAILED"));
    }

    @Test
    void times_without_an_end_are_times() {
        RetryPolicy patient = new RetryPolicy(3, Duration.ofNanos(1), FOREVER);
        Agent agent = agents().create(
                        header(),
                        profile(ScriptedModel.builder()
                                        .fail(ModelException.of(ModelException.Kind.TRANSIENT, "BUSY", "busy"))
                                        .fail(ModelException.of(ModelException.Kind.TRANSIENT, "BUSY", "busy"))
                                        .answer(ScriptedAnswer.of("Here."))
                                        .build())
                                .idleTimeout(FOREVER)
                                .retries(patient));

        assertThat(outcome(agent.followUp("Try.")).reason()).isEqualTo(TurnEndReason.completed());
        ModelException busy = ModelException.of(ModelException.Kind.TRANSIENT, "BUSY", "busy");
        assertThat(new RetryPolicy(99, FOREVER, FOREVER).delay(busy, 99)).contains(FOREVER);
        assertThat(new RetryPolicy(99, Duration.ofSeconds(1), Duration.ofMinutes(1)).delay(busy, 3))
                .contains(Duration.ofSeconds(4));
        assertThat(new RetryPolicy(99, Duration.ofSeconds(1), Duration.ofMinutes(1)).delay(busy, 99))
                .contains(Duration.ofMinutes(1));
    }

    @Test
    void a_wait_without_an_end_is_over_when_the_turn_is_cancelled() {
        ScriptedModel model = ScriptedModel.builder()
                .fail(ModelException.of(ModelException.Kind.TRANSIENT, "BUSY", "busy"))
                .build();
        Agent agent = agents().create(header(), profile(model).retries(new RetryPolicy(1, FOREVER, FOREVER)));
        QueuedInput question = agent.followUp("Try.");
        until(() -> assertThat(types(agent.id())).contains(EventType.LLM_RETRY));

        agent.cancel(TurnEndReason.aborted("user"));

        assertThat(outcome(question).reason()).isEqualTo(TurnEndReason.aborted("user"));
    }

    @Test
    void a_tool_whose_neighbour_could_not_be_recorded_is_interrupted() {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Agent agent = agents().create(
                        header(),
                        profile(
                                ScriptedModel.of(ScriptedAnswer.begin()
                                        .toolCall("a", "thief", "{}")
                                        .toolCall("b", "slow", "{}")),
                                parallel("thief", call -> {
                                    Bounded.await(running);
                                    stack.commands
                                            .drive(DriveSession.forced(call.session()))
                                            .close();
                                    return ToolOutput.text("mine");
                                }),
                                parallel("slow", call -> {
                                    running.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } finally {
                                        interrupted.countDown();
                                    }
                                    return ToolOutput.text("never");
                                })));

        QueuedInput question = agent.followUp("Both.");

        assertThatThrownBy(() -> outcome(question)).hasCauseInstanceOf(LeaseLostException.class);
        Bounded.await(interrupted);
        stack.commands.recover(agent.id());
    }

    @Test
    void a_listener_whose_exception_cannot_be_printed_hears_of_the_next_notification() {
        AgentListener odd = notification -> {
            if (!(notification instanceof AgentCreated)) {
                throw new Unreadable();
            }
        };
        Agent agent = agents(AgentHooks.none().listeners(odd))
                .create(header(), profile(ScriptedModel.answering(call -> ScriptedAnswer.of("ok"))));

        outcome(agent.followUp("one"));
        outcome(agent.followUp("two"));
        agent.close();

        assertThat(told).last().isEqualTo(new AgentDisposed(agent));
    }
}
