package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.DriverLease;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ToolOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TurnRecorderTest extends RecorderSuite {

    private static Message said(String text) {
        return Message.user(MessageSource.ofKind("user"), TextBlock.of(text));
    }

    @Test
    void a_turn_of_two_steps_is_recorded_as_it_happens() {
        try (RecordedTurn turn = recorder.startTurn(UserMessage.of("Where is my parcel?"))) {
            assertThat(turn.number()).isEqualTo(1);
            turn.context(new ContextMessage(said("today is Monday").json()));
            try (RecordedStep step = turn.startStep()) {
                step.header(HEADER);
                step.context(RequestContext.of("acme", "m-1", 8_192L));
                RecordedAttempt attempt = step.attempt();
                attempt.chunk(StreamChunk.text(0, "Let me look."));
                attempt.chunk(StreamChunk.toolCall(1, "c1", "track", "{}"));
                attempt.chunk(StreamChunk.usage(Usage.of(10, 5)));
                attempt.chunk(StreamChunk.finish("tool-calls"));
                RecordedCall call =
                        step.call(attempt.complete().message().toolCalls().get(0));
                call.result(ToolOutput.text("In Lyon."));
                turn.steering(new SteeringMessage(said("in English").json()));
                step.end();
            }
            try (RecordedStep step = turn.startStep()) {
                assertThat(step.number()).isEqualTo(2);
                assertThat(step.header(HEADER)).isFalse();
                RecordedAttempt attempt = step.attempt();
                attempt.chunk(StreamChunk.text(0, "It is in Lyon."));
                attempt.chunk(StreamChunk.finish("stop"));
                assertThat(attempt.finishReason()).contains("stop");
                attempt.complete();
                step.end();
            }
            turn.completed();
        }

        assertThat(lines())
                .containsExactly(
                        "turn/start",
                        "user/message Where is my parcel?",
                        "context/message",
                        "step/start",
                        "request/header initial",
                        "request/context",
                        "chunk",
                        "chunk",
                        "chunk",
                        "chunk",
                        "assistant/message Let me look.[c1] <6-9>",
                        "tool/call",
                        "tool/result c1 <11>",
                        "steering/message",
                        "step/end",
                        "step/start",
                        "chunk",
                        "chunk",
                        "assistant/message It is in Lyon. <16,17>",
                        "step/end",
                        "turn/end completed");
        assertThat(log().get(10).data().value().toText())
                .contains(
                        "\"provider\":\"acme\"",
                        "\"model\":\"m-1\"",
                        "\"usage\":{\"inputTokens\":10,\"outputTokens\":5}");
    }

    @Nested
    class Numbers {

        @Test
        void of_turns_go_on_after_a_resume_and_in_a_fork() {
            recorder.startTurn().completed();
            driver.close();

            try (DriverLease again = stack.commands.drive(id)) {
                TurnRecorder resumed = TurnRecorder.of(again, stack.queries);
                try (RecordedTurn turn = resumed.startTurn()) {
                    assertThat(turn.number()).isEqualTo(2);
                }
            }
            SessionId child = stack.commands.fork(id).session();
            try (DriverLease forked = stack.commands.drive(child);
                    RecordedTurn turn = TurnRecorder.of(forked, stack.queries).startTurn()) {
                assertThat(turn.number()).isEqualTo(3);
            }
        }

        @Test
        void of_steps_begin_anew_in_each_turn() {
            for (int i = 0; i < 2; i++) {
                try (RecordedTurn turn = recorder.startTurn()) {
                    turn.startStep().end();
                    assertThat(turn.startStep().number()).isEqualTo(2);
                }
            }
        }
    }

    @Nested
    class Headers {

        private final JsonObject other = HEADER.with("system", io.surfacelog.event.JsonString.of("Be long."));

        @Test
        void are_written_when_they_differ_to_the_letter_from_the_one_in_force() {
            RecordedStep step = step();
            assertThat(step.header(HEADER)).isFalse();
            assertThat(step.header(other)).isTrue();
            assertThat(step.header(HEADER)).isTrue();
            step.turn().close();

            assertThat(lines())
                    .filteredOn(line -> line.startsWith("request/header"))
                    .containsExactly("request/header initial", "request/header change", "request/header change");
        }

        @Test
        void are_written_again_on_resume_and_in_a_fork_equal_or_not() {
            step().turn().close();
            driver.close();
            SessionId child = stack.commands.fork(id).session();

            for (SessionId session : List.of(id, child)) {
                try (DriverLease again = stack.commands.drive(session);
                        RecordedTurn turn =
                                TurnRecorder.of(again, stack.queries).startTurn();
                        RecordedStep step = turn.startStep()) {
                    assertThat(step.header(HEADER)).isTrue();
                    assertThat(step.header(HEADER)).isFalse();
                }
                assertThat(stack.queries.surface(session).requestHeader())
                        .get()
                        .extracting(RequestHeader::reason)
                        .isEqualTo(java.util.Optional.of(RequestHeader.RESUME));
            }
        }

        @Test
        void that_somebody_else_has_changed_are_changed_back() {
            RecordedStep step = step();
            stack.commands.append(id, RequestHeader.of(other, RequestHeader.CHANGE));

            assertThat(step.header(HEADER)).isTrue();
            step.close();
            step.turn().completed();
        }

        @Test
        void of_limits_are_written_when_they_change() {
            RecordedStep step = step();
            assertThat(step.context(RequestContext.of("acme", "m-1", 8_192L))).isTrue();
            assertThat(step.context(RequestContext.of("acme", "m-1", 8_192L))).isFalse();
            assertThat(step.context(RequestContext.of("acme", "m-1", null))).isTrue();
            step.turn().close();
        }
    }

    @Nested
    class Ends {

        private TurnEndReason last() {
            List<SessionEvent> log = log();
            return ((TurnEnd) log.get(log.size() - 1).payload()).reason();
        }

        @Test
        void have_the_reason_they_are_given() {
            recorder.startTurn().completed();
            assertThat(last()).isEqualTo(TurnEndReason.completed());
            recorder.startTurn().aborted("user");
            assertThat(last()).isEqualTo(TurnEndReason.aborted("user"));
            recorder.startTurn().maxTokens();
            assertThat(last()).isEqualTo(TurnEndReason.maxTokens());
            recorder.startTurn().blocked();
            assertThat(last()).isEqualTo(TurnEndReason.blocked());
            recorder.startTurn().end(TurnEndReason.abortedByHook("no"));
            assertThat(last()).isEqualTo(TurnEndReason.abortedByHook("no"));
            recorder.startTurn().close();
            assertThat(last()).isEqualTo(TurnEndReason.interrupted());
            recorder.startTurn().ending(TurnEndReason.aborted("parent")).close();
            assertThat(last()).isEqualTo(TurnEndReason.aborted("parent"));
        }

        @Test
        void of_a_failure_tell_all_its_causes_and_what_the_provider_said() {
            IOException root = new IOException("broken pipe");
            ModelException error = new ModelException(
                    ModelException.Kind.TRANSIENT,
                    "RATE_LIMITED",
                    "too many requests",
                    429,
                    Duration.ofSeconds(2),
                    "req-1",
                    new IllegalStateException("no answer", root));

            recorder.startTurn().failed(error);

            JsonObject fault = last().json().object("error").orElseThrow();
            assertThat(fault.string("message"))
                    .contains("too many requests; caused by IllegalStateException: no answer; caused by IOException:"
                            + " broken pipe");
            assertThat(fault.string("code")).contains("RATE_LIMITED");
            assertThat(fault.longValue("status")).hasValue(429);
            assertThat(fault.longValue("providerRetryAfterMs")).hasValue(2_000);
            assertThat(fault.string("requestId")).contains("req-1");

            recorder.startTurn().failed(new IllegalArgumentException());
            assertThat(last().errorMessage()).contains("IllegalArgumentException");
            assertThat(last().errorCode()).contains("UNEXPECTED");
        }

        @Test
        void close_whatever_is_open_in_one_commit() {
            RecordedStep step = step();
            List<io.surfacelog.event.ToolCallBlock> calls = asked(step, "a", "b", "c");
            step.call(calls.get(0)).result(ToolOutput.text("done"));
            step.call(calls.get(2));
            long before = store().lastPosition();

            step.turn().close();
            step.turn().close();

            assertThat(store().lastPosition()).isEqualTo(before + 1);
            List<String> lines = lines();
            assertThat(lines.subList(lines.size() - 4, lines.size()))
                    .containsExactly(
                            "tool/result b TOOL_NOT_STARTED",
                            "tool/result c TOOL_OUTCOME_UNKNOWN <" + (lines.size() - 5) + ">",
                            "step/end",
                            "turn/end interrupted");
            assertThat(step.isOpen()).isFalse();
        }

        @Test
        void of_a_turn_whose_last_attempt_failed_say_so() {
            try (RecordedTurn turn = recorder.startTurn();
                    RecordedStep step = turn.startStep()) {
                step.header(HEADER);
                step.attempt().failed(ModelException.of(ModelException.Kind.PERMANENT, "REFUSED", "no"));
            }

            assertThat(last().errorCode()).contains("REFUSED");
        }
    }

    @Nested
    class Refusals {

        @Test
        void of_what_no_turn_has_at_that_point() {
            RecordedTurn turn = recorder.startTurn();
            refused(recorder::startTurn);
            RecordedStep step = turn.startStep();
            refused(turn::startStep);
            refused(turn::completed);
            assertThat(refused(step::attempt)).contains("none in the log");
            step.end();
            refused(step::end);
            refused(() -> step.header(HEADER));
            refused(step::attempt);
            turn.completed();
            refused(turn::completed);
            refused(turn::startStep);
            refused(() -> turn.user(UserMessage.of("late")));
            refused(() -> turn.ending(TurnEndReason.blocked()));
        }

        @Test
        void of_a_turn_while_one_is_open_that_somebody_else_began() {
            stack.commands.append(id, io.surfacelog.event.TurnStart.of(1));

            refused(recorder::startTurn);

            stack.commands.append(id, TurnEnd.of(1, TurnEndReason.completed()));
            recorder.startTurn().completed();
        }
    }

    @Test
    void citations_stay_exact_while_another_process_appends_in_between() {
        CommandStack other = startAnotherProcess();
        RecordedStep step = step();
        RecordedAttempt attempt = step.attempt();
        for (int i = 0; i < 20; i++) {
            attempt.chunk(StreamChunk.text(0, "x"));
            if (i % 3 == 0) {
                other.commands.append(id, UserMessage.of("between"), SurfaceIntent.append());
            }
        }
        attempt.chunk(StreamChunk.toolCall(1, "c", "read", "{}"));
        attempt.chunk(StreamChunk.finish("stop"));
        RecordedCall call = step.call(attempt.complete().message().toolCalls().get(0));
        other.commands.append(id, UserMessage.of("between"), SurfaceIntent.append());
        call.result(ToolOutput.text("done"));
        step.end();
        step.turn().completed();

        List<SessionEvent> log = log();
        long[] chunks = log.stream()
                .filter(event -> event.type().equals(EventType.ASSISTANT_CHUNK))
                .mapToLong(SessionEvent::seq)
                .toArray();
        assertThat(log)
                .filteredOn(event -> event.type().equals(EventType.ASSISTANT_MESSAGE))
                .singleElement()
                .satisfies(event -> assertThat(
                                event.intent().orElseThrow().sourcesOrNone().toText())
                        .isEqualTo(io.surfacelog.event.EventSeqs.of(chunks).toText()));
        assertThat(log)
                .filteredOn(event -> event.type().equals(EventType.TOOL_RESULT))
                .singleElement()
                .satisfies(event -> assertThat(log.get((int) event.intent()
                                        .orElseThrow()
                                        .sourcesOrNone()
                                        .toArray()[0])
                                .type())
                        .isEqualTo(EventType.TOOL_CALL));
    }

    @Test
    void a_lost_lease_ends_it_and_the_next_driver_closes_what_is_open() {
        RecordedStep step = step();
        RecordedAttempt attempt = step.attempt();
        attempt.chunk(StreamChunk.text(0, "Half"));
        recorder.flush();
        try (DriverLease next = stack.commands.drive(io.surfacelog.command.DriveSession.forced(id))) {
            int length = log().size();

            assertThatExceptionOfType(io.surfacelog.command.LeaseLostException.class)
                    .isThrownBy(attempt::interrupted);
            assertThatExceptionOfType(RecorderException.class).isThrownBy(recorder::flush);
            attempt.close();
            step.close();
            step.turn().close();

            assertThat(log()).hasSize(length);
            assertThat(lines()).contains("turn/end interrupted").anyMatch(line -> line.contains("(interrupted) Half"));
            TurnRecorder.of(next, stack.queries).startTurn().completed();
        }
    }
}
