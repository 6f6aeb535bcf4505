package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.command.CommandStack;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.ToolResult;
import io.surfacelog.model.ToolOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RecordedCallTest extends RecorderSuite {

    private static final ToolError FAILED = new ToolError("IOException", "TOOL_FAILED");

    private List<ToolResult> results() {
        return log().stream()
                .filter(event -> event.type().equals(EventType.TOOL_RESULT))
                .map(event -> (ToolResult) event.payload())
                .toList();
    }

    @Test
    void results_cite_their_calls_and_those_that_never_started_cite_nothing() {
        RecordedStep step = step();
        List<ToolCallBlock> calls = asked(step, "a", "b", "c");
        RecordedCall a = step.call(calls.get(0));
        RecordedCall b = step.call(calls.get(1));
        assertThat(b.block()).isEqualTo(calls.get(1));
        b.failed(FAILED, "no such file");
        a.result(ToolOutput.error("sorry").meta(Json.parse("{\"ms\":7}")));
        step.notStarted(calls.get(2), new ToolError("Denied", "TOOL_DENIED"), "not allowed");
        step.end();
        step.turn().completed();

        assertThat(lines())
                .containsSubsequence(
                        "tool/call",
                        "tool/call",
                        "tool/result b TOOL_FAILED <10>",
                        "tool/result a <9>",
                        "tool/result c TOOL_DENIED",
                        "step/end");
        ToolResult sorry = results().get(1);
        assertThat(sorry.block().isError()).isTrue();
        assertThat(sorry.meta()).isEqualTo(Json.parse("{\"ms\":7}"));
    }

    @Test
    void whatever_a_tool_says_and_a_model_asks_is_recorded_as_it_is() {
        RecordedStep step = step();
        RecordedAttempt attempt = step.attempt();
        attempt.chunk(StreamChunk.toolCall(0, "a", "read", "{not JSON \ud800"));
        attempt.chunk(StreamChunk.toolCall(1, "b", "", ""));
        attempt.chunk(StreamChunk.toolCall(2, "c", "nobody's", "[]"));
        attempt.chunk(StreamChunk.finish("tool-calls"));
        List<ToolCallBlock> calls = attempt.complete().message().toolCalls();
        String megabyte = "é\0\ud83d".repeat(350_000);
        step.call(calls.get(0)).result(ToolOutput.text(megabyte));
        step.call(calls.get(1)).result(ToolOutput.text(" \n"));
        step.call(calls.get(2)).result(new ToolOutput(List.of(), false, null));
        step.end();
        step.turn().completed();

        assertThat(log())
                .filteredOn(event -> event.payload() instanceof ToolCall)
                .extracting(event -> ((ToolCall) event.payload()).arguments())
                .containsExactly("{not JSON \ud800", "", "[]");
        assertThat(results())
                .extracting(result -> result.block().content().stream()
                        .map(block -> ((io.surfacelog.event.TextBlock) block).text())
                        .reduce("", String::concat))
                .containsExactly(megabyte, " \n", "");
    }

    @Test
    void results_in_call_order_are_held_until_their_turn_and_then_written_together() {
        RecordedStep step = step().resultsInCallOrder();
        List<ToolCallBlock> calls = asked(step, "a", "b", "c", "d");
        List<RecordedCall> running = calls.stream().map(step::call).toList();
        running.get(2).result(ToolOutput.text("c"));
        running.get(1).result(ToolOutput.text("b"));
        assertThat(results()).isEmpty();
        assertThat(step.unanswered()).hasSize(4);
        refused(() -> running.get(1).result(ToolOutput.text("again")));
        long before = store().lastPosition();

        running.get(0).result(ToolOutput.text("a"));

        assertThat(store().lastPosition()).isEqualTo(before + 1);
        assertThat(results()).extracting(ToolResult::callId).containsExactly("a", "b", "c");
        running.get(3).result(ToolOutput.text("d"));
        step.end();
        step.turn().completed();
    }

    @Test
    void results_that_are_held_are_written_in_their_place_when_the_step_is_closed() {
        RecordedStep step = step().resultsInCallOrder();
        List<ToolCallBlock> calls = asked(step, "a", "b", "c");
        step.call(calls.get(0));
        step.call(calls.get(1)).result(ToolOutput.text("b"));
        refused(step::end);

        step.close();
        step.turn().completed();

        assertThat(lines())
                .containsSubsequence(
                        "tool/result a TOOL_OUTCOME_UNKNOWN <9>",
                        "tool/result b <10>",
                        "tool/result c TOOL_NOT_STARTED",
                        "step/end");
    }

    @Test
    void a_result_that_is_too_large_is_refused_and_can_be_told_in_short() {
        RecordedStep step = smallStep();
        List<ToolCallBlock> calls = asked(step, "a");
        RecordedCall call = step.call(calls.get(0));

        assertThatExceptionOfType(AdmissionException.class)
                .isThrownBy(() -> call.result(ToolOutput.text("x".repeat(3_000))));
        call.failed(new ToolError("TooLarge", "TOOL_RESULT_TOO_LARGE"), "3,000 characters");
        step.end();
        step.turn().completed();
    }

    @Test
    void a_held_result_that_is_too_large_keeps_no_other_from_the_log_and_says_so_in_its_place() {
        RecordedStep step = smallStep().resultsInCallOrder();
        List<RecordedCall> running =
                asked(step, "a", "b", "c").stream().map(step::call).toList();
        running.get(1).result(ToolOutput.text("x".repeat(3_000)));
        running.get(2).result(ToolOutput.text("c"));
        running.get(0).result(ToolOutput.text("a"));
        step.end();
        step.turn().completed();

        assertThat(lines())
                .containsSubsequence(
                        "tool/result a <9>", "tool/result b TOOL_RESULT_REFUSED <10>", "tool/result c <11>");
    }

    @Test
    void a_held_result_that_is_too_large_does_not_keep_a_turn_open() {
        RecordedStep step = smallStep().resultsInCallOrder();
        List<RecordedCall> running =
                asked(step, "a", "b").stream().map(step::call).toList();
        running.get(1).result(ToolOutput.text("x".repeat(3_000)));

        step.turn().close();

        assertThat(lines())
                .endsWith(
                        "tool/result a TOOL_OUTCOME_UNKNOWN <8>",
                        "tool/result b TOOL_RESULT_REFUSED <9>",
                        "step/end",
                        "turn/end interrupted");
    }

    private RecordedStep smallStep() {
        CommandStack small = start(CommandStack.on(faulty).limits(new EventLimits(2_000)));
        driver.close();
        driver = small.commands.drive(id);
        recorder = TurnRecorder.of(driver, small.queries);
        return step();
    }

    @Test
    void what_is_no_call_of_the_answer_or_has_its_result_is_refused() {
        RecordedStep step = step();
        ToolCallBlock stranger = ToolCallBlock.of("z", "read", "{}");
        refused(() -> step.call(stranger));
        List<ToolCallBlock> calls = asked(step, "a", "b");
        refused(() -> step.call(stranger));
        refused(() -> step.notStarted(stranger, FAILED, "no"));
        RecordedCall a = step.call(calls.get(0));
        refused(() -> step.call(calls.get(0)));
        refused(() -> step.notStarted(calls.get(0), FAILED, "no"));
        a.result(ToolOutput.text("a"));
        refused(() -> a.result(ToolOutput.text("again")));
        refused(() -> a.failed(FAILED, "again"));
        refused(() -> step.call(calls.get(0)));
        assertThat(refused(step::end)).contains("[b]");
        assertThat(step.unanswered()).containsExactly(calls.get(1));
        step.notStarted(calls.get(1), FAILED, "no");
        step.end();
        refused(() -> a.result(ToolOutput.text("late")));
        refused(() -> step.call(calls.get(1)));
        step.turn().completed();
    }

    @Test
    void results_of_many_threads_are_all_recorded_and_cited_right() throws Exception {
        RecordedStep step = step();
        String[] ids = new String[24];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = "c" + i;
        }
        List<ToolCallBlock> calls = asked(step, ids);
        ExecutorService tools = Executors.newFixedThreadPool(6);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (ToolCallBlock call : calls) {
                running.add(tools.submit(() -> step.call(call).result(ToolOutput.text(call.id()))));
            }
            for (Future<?> one : running) {
                one.get(30, TimeUnit.SECONDS);
            }
        } finally {
            tools.shutdown();
        }
        step.end();
        step.turn().completed();

        List<SessionEvent> log = log();
        assertThat(log)
                .filteredOn(event -> event.payload() instanceof ToolResult)
                .hasSize(24)
                .allSatisfy(event -> {
                    long[] cited = event.intent().orElseThrow().sourcesOrNone().toArray();
                    assertThat(cited).hasSize(1);
                    assertThat(((ToolCall) log.get((int) cited[0]).payload()).callId())
                            .isEqualTo(((ToolResult) event.payload()).callId());
                });
    }
}
