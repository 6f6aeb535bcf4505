package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.command.Bounded;
import io.surfacelog.command.CommandStack;
import io.surfacelog.command.QueueFullException;
import io.surfacelog.command.QueueSettings;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.ModelException;
import io.surfacelog.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RecordedAttemptTest extends RecorderSuite {

    private static ModelException overloaded() {
        return ModelException.of(ModelException.Kind.TRANSIENT, "OVERLOADED", "come back later");
    }

    private static final StreamChunk STOP = StreamChunk.finish("stop");

    private static StoreUnavailableException full() {
        return new StoreUnavailableException(StoreUnavailableException.Reason.DISK_FULL, "the disk is full");
    }

    private List<SessionEvent> ofType(String type) {
        return log().stream().filter(event -> event.type().equals(type)).toList();
    }

    @Nested
    class Answers {

        @Test
        void of_an_empty_stream_cite_that_there_was_none() {
            RecordedStep step = step();
            assertThat(step.attempt().complete().message().content()).isEmpty();
            step.end();
            step.turn().completed();

            assertThat(ofType(EventType.ASSISTANT_MESSAGE))
                    .singleElement()
                    .satisfies(event ->
                            assertThat(event.intent().orElseThrow().sources()).contains(EventSeqs.NONE));
        }

        @Test
        void put_together_elsewhere_are_kept_as_they_are_and_cite_the_chunks() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            attempt.chunk(StreamChunk.text(0, "raw"));
            Message own =
                    Message.assistant("acme", "m-1", TextBlock.of("cooked"), ToolCallBlock.of("x", "read", "no JSON"));

            assertThat(attempt.complete(own).message()).isEqualTo(own);
            assertThat(step.unanswered()).extracting(ToolCallBlock::id).containsExactly("x");
            step.turn().close();
            assertThat(lines()).contains("assistant/message cooked[x] <4>");
        }

        @Test
        void put_together_elsewhere_need_ids_that_results_can_name() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            ToolCallBlock call = ToolCallBlock.of("x", "read", "{}");

            refused(() -> attempt.complete(Message.assistant("acme", "m-1", call, call)));
            refused(() -> attempt.complete(Message.assistant("acme", "m-1", ToolCallBlock.of("", "read", "{}"))));
            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> attempt.complete(Message.of(
                            "m", Message.USER, io.surfacelog.event.MessageSource.ofKind("user"), List.of())));
            attempt.complete(Message.assistant("acme", "m-1", call));
            step.turn().close();
        }

        @Test
        void within_a_call_that_the_stream_left_unfinished_are_refused_and_may_be_kept_as_interrupted() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            attempt.chunk(StreamChunk.text(0, "Let me look."));
            attempt.chunk(StreamChunk.toolCall(1, "a", "find", "{\"q\":\"un"));

            refused(attempt::complete);
            attempt.interrupted();
            step.end();
            step.turn().completed();

            assertThat(lines())
                    .contains("assistant/message (interrupted) Let me look. <4,5>")
                    .noneMatch(line -> line.startsWith("tool/"));
        }

        @Test
        void keep_what_the_provider_needs_to_go_on() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            attempt.chunk(StreamChunk.text(0, "Hello"));
            attempt.chunk(StreamChunk.of(STOP.json().with("replayState", JsonObject.EMPTY)));

            assertThat(attempt.complete().message().source().json().get("replayState"))
                    .isEqualTo(JsonObject.EMPTY);
            step.turn().close();
        }

        @Test
        void give_calls_without_an_id_one_that_call_and_result_share() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            attempt.chunk(StreamChunk.toolCall(0, "", "read", "{}"));
            attempt.chunk(StreamChunk.toolCall(1, "", "read", "{}"));
            attempt.chunk(STOP);
            List<ToolCallBlock> calls = attempt.complete().message().toolCalls();
            step.call(calls.get(1)).result(io.surfacelog.model.ToolOutput.text("two"));
            step.call(calls.get(0)).result(io.surfacelog.model.ToolOutput.text("one"));
            step.end();
            step.turn().completed();

            assertThat(calls)
                    .extracting(ToolCallBlock::id)
                    .doesNotHaveDuplicates()
                    .doesNotContain("");
        }
    }

    @Nested
    class Interruptions {

        @Test
        void keep_text_and_reasoning_and_cite_exactly_the_chunks() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            attempt.chunk(StreamChunk.reasoning(0, "hm"));
            attempt.chunk(StreamChunk.text(1, "It is"));
            attempt.chunk(StreamChunk.toolCall(2, "a", "find", "{}"));

            assertThat(attempt.interrupted())
                    .get()
                    .satisfies(kept -> assertThat(kept.message().content())
                            .containsExactly(ReasoningBlock.of("hm"), TextBlock.of("It is")));
            step.close();
            step.turn().aborted("user");

            assertThat(lines()).endsWith("assistant/message (interrupted) It is <4-6>", "step/end", "turn/end aborted");
        }

        @Test
        void without_text_that_was_shown_leave_nothing() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            attempt.chunk(StreamChunk.reasoning(0, "hm"));

            assertThat(attempt.interrupted()).isEmpty();
            step.end();
            step.turn().aborted("user");
            assertThat(ofType(EventType.ASSISTANT_MESSAGE)).isEmpty();
        }

        @Test
        void happen_when_try_with_resources_is_left_by_an_exception() {
            assertThatThrownBy(() -> {
                        try (RecordedTurn turn = recorder.startTurn();
                                RecordedStep step = turn.startStep()) {
                            step.header(HEADER);
                            try (RecordedAttempt attempt = step.attempt()) {
                                attempt.chunk(StreamChunk.text(0, "Half"));
                                throw new java.io.IOException("gone");
                            }
                        }
                    })
                    .hasMessage("gone")
                    .hasNoSuppressedExceptions();
            assertThat(lines())
                    .endsWith("assistant/message (interrupted) Half <3>", "step/end", "turn/end interrupted");
        }
    }

    @Nested
    class Failures {

        @Test
        void that_are_tried_again_leave_their_chunks_and_say_that_another_attempt_follows() {
            RecordedStep step = step();
            RecordedAttempt first = step.attempt();
            first.chunk(StreamChunk.text(0, "Half"));
            first.failed(overloaded());
            RecordedAttempt second = step.attempt();
            second.failed(overloaded(), Duration.ofMillis(500));
            RecordedAttempt third = step.attempt();
            third.chunk(StreamChunk.text(0, "Whole"));
            third.chunk(STOP);
            third.complete();
            step.end();
            step.turn().completed();

            assertThat(third.number()).isEqualTo(3);
            assertThat(lines())
                    .containsSubsequence(
                            "chunk", "llm/retry", "llm/retry", "chunk", "chunk", "assistant/message Whole <7,8>");
            assertThat(ofType(EventType.LLM_RETRY))
                    .extracting(event -> event.data().value().toText())
                    .containsExactly(
                            "{\"turn\":1,\"step\":1,\"attempt\":1,\"error\":{\"message\":\"come back later\",\"code\":\"OVERLOADED\"}}",
                            "{\"turn\":1,\"step\":1,\"attempt\":2,\"error\":{\"message\":\"come back later\",\"code\":\"OVERLOADED\"},\"delayMs\":500}");
        }

        @Test
        void that_are_the_last_keep_what_was_shown_when_the_step_ends() {
            RecordedStep step = step();
            RecordedAttempt first = step.attempt();
            first.chunk(StreamChunk.text(0, "Lost"));
            first.failed(overloaded(), Duration.ZERO);
            RecordedAttempt second = step.attempt();
            second.chunk(StreamChunk.text(0, "Kept"));
            second.failed(overloaded());
            step.end();
            step.turn().failed(overloaded());

            assertThat(lines()).endsWith("assistant/message (interrupted) Kept <6>", "step/end", "turn/end error");
            assertThat(ofType(EventType.ASSISTANT_MESSAGE)).hasSize(1);
        }
    }

    @Nested
    class Refusals {

        @Test
        void of_what_an_attempt_that_is_over_cannot_do() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            refused(step::attempt);
            refused(step::end);
            refused(() -> step.header(HEADER));
            refused(() -> step.turn()
                    .steering(new SteeringMessage(UserMessage.of("now").json())));
            attempt.complete();
            refused(() -> attempt.chunk(STOP));
            refused(attempt::complete);
            refused(attempt::interrupted);
            refused(() -> attempt.failed(overloaded()));
            refused(step::attempt);
            step.end();
            step.turn().completed();
        }

        @Test
        void of_a_chunk_that_is_too_large_leave_no_hole() {
            CommandStack small = start(CommandStack.on(faulty).limits(new EventLimits(2_000)));
            driver.close();
            driver = small.commands.drive(id);
            recorder = TurnRecorder.of(driver, small.queries);
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            attempt.chunk(StreamChunk.text(0, "a"));

            assertThatExceptionOfType(AdmissionException.class)
                    .isThrownBy(() -> attempt.chunk(StreamChunk.text(0, "x".repeat(3_000))))
                    .satisfies(e -> assertThat(e.rule()).isEqualTo(AdmissionRule.LIMIT_EVENT_BYTES));
            attempt.chunk(StreamChunk.text(0, "b"));
            attempt.complete();
            step.end();
            step.turn().completed();

            assertThat(lines()).contains("assistant/message ab <4,5>");
        }

        @Test
        void of_an_answer_that_is_too_large_leave_it_in_its_chunks_and_the_turn_can_be_closed() {
            CommandStack small = start(CommandStack.on(faulty).limits(new EventLimits(2_000)));
            driver.close();
            driver = small.commands.drive(id);
            recorder = TurnRecorder.of(driver, small.queries);
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            for (int i = 0; i < 4; i++) {
                attempt.chunk(StreamChunk.text(0, "x".repeat(800)));
            }

            assertThatExceptionOfType(AdmissionException.class).isThrownBy(attempt::complete);
            step.turn().close();

            assertThat(lines()).endsWith("chunk", "step/end", "turn/end interrupted");
        }
    }

    @Nested
    class LostChunks {

        @Test
        void are_told_at_the_next_call_and_the_prefix_can_be_kept() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            attempt.chunk(StreamChunk.text(0, "Kept"));
            recorder.flush();
            CountDownLatch sent = new CountDownLatch(1);
            faulty.insteadOfCommit(writes -> {
                Bounded.await(sent);
                throw full();
            });
            attempt.chunk(StreamChunk.text(0, " and lost"));
            sent.countDown();
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(attempt::complete);
            faulty.heal();

            refused(() -> attempt.chunk(STOP));
            refused(attempt::complete);
            refused(recorder::flush);
            attempt.interrupted();
            step.end();
            step.turn().failed(full());
            assertThat(lines()).endsWith("assistant/message (interrupted) Kept <4>", "step/end", "turn/end error");
        }

        @Test
        void that_nobody_was_told_of_are_told_when_it_is_closed_and_the_log_is_balanced() {
            RecordedStep step = step();
            RecordedAttempt attempt = step.attempt();
            CountDownLatch sent = new CountDownLatch(1);
            CountDownLatch failed = new CountDownLatch(1);
            faulty.insteadOfCommit(writes -> {
                Bounded.await(sent);
                failed.countDown();
                throw full();
            });
            attempt.chunk(StreamChunk.text(0, "lost"));
            sent.countDown();
            Bounded.await(failed);
            faulty.heal();

            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(step.turn()::close);
            step.turn().close();
            assertThat(lines()).endsWith("step/end", "turn/end interrupted");
        }

        @Test
        void leave_a_turn_open_where_nothing_can_be_written_until_it_is_closed_again() {
            RecordedStep step = step();
            faulty.insteadOfCommit(writes -> {
                throw full();
            });
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(step.turn()::close);
            assertThat(step.turn().isOpen()).isTrue();
            faulty.heal();

            step.turn().close();
            assertThat(lines()).endsWith("step/end", "turn/end interrupted");
        }
    }

    @Test
    void chunks_do_not_wait_for_their_commit() {
        RecordedStep step = step();
        RecordedAttempt attempt = step.attempt();
        CountDownLatch committing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        faulty.beforeCommit(writes -> {
            committing.countDown();
            Bounded.await(goOn);
        });

        attempt.chunk(StreamChunk.text(0, "1"));
        Bounded.await(committing);
        for (int i = 2; i < 10; i++) {
            attempt.chunk(StreamChunk.text(0, String.valueOf(i)));
        }
        assertThat(stored(id)).noneMatch(event -> event.type().equals(EventType.ASSISTANT_CHUNK));
        goOn.countDown();

        assertThat(attempt.complete().message().text()).isEqualTo("123456789");
        step.turn().close();
    }

    @Test
    void an_interrupted_thread_records_as_any_other() {
        RecordedStep step = step();
        RecordedAttempt attempt = step.attempt();
        Thread.currentThread().interrupt();
        try {
            attempt.chunk(StreamChunk.text(0, "Half"));
            Optional<?> kept = attempt.interrupted();
            step.close();
            step.turn().aborted("user");
            assertThat(kept).isPresent();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(lines()).endsWith("assistant/message (interrupted) Half <4>", "step/end", "turn/end aborted");
    }

    @Test
    void a_queue_without_room_refuses_a_chunk_that_can_be_sent_again() {
        CommandStack narrow = start(CommandStack.on(faulty).queue(2_000, QueueSettings.WhenFull.FAIL));
        driver.close();
        driver = narrow.commands.drive(id);
        recorder = TurnRecorder.of(driver, narrow.queries);
        RecordedStep step = step();
        RecordedAttempt attempt = step.attempt();
        CountDownLatch goOn = new CountDownLatch(1);
        faulty.beforeCommit(writes -> Bounded.await(goOn));
        int sent = 0;
        while (sent < 100 && sends(attempt, "x")) {
            sent++;
        }
        assertThat(sent).isBetween(1, 99);
        goOn.countDown();
        Bounded.until(() -> sends(attempt, "y"));
        recorder.flush();
        narrow.commands.flush(id);

        assertThat(attempt.complete().message().text()).isEqualTo("x".repeat(sent) + "y");
        step.end();
        step.turn().completed();
        assertThat(ofType(EventType.ASSISTANT_CHUNK)).hasSize(sent + 1);
    }

    private static boolean sends(RecordedAttempt attempt, String text) {
        try {
            attempt.chunk(StreamChunk.text(0, text));
            return true;
        } catch (QueueFullException e) {
            return false;
        }
    }

    @Test
    void a_subscriber_sees_each_chunk_as_it_is_committed() {
        List<Long> seen = java.util.Collections.synchronizedList(new ArrayList<>());
        CommandStack heard = start(CommandStack.on(faulty).listener(event -> {
            if (event.event().type().equals(EventType.ASSISTANT_CHUNK)) {
                seen.add(event.event().seq());
            }
        }));
        driver.close();
        driver = heard.commands.drive(id);
        recorder = TurnRecorder.of(driver, heard.queries);
        RecordedStep step = step();
        RecordedAttempt attempt = step.attempt();
        attempt.chunk(StreamChunk.text(0, "x"));

        Bounded.until(() -> seen.equals(List.of(4L)));
        step.turn().close();
    }
}
