package io.surfacelog.model;

import static io.surfacelog.model.CollectingSink.PATIENCE;
import static io.surfacelog.model.CollectingSink.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.Usage;
import io.surfacelog.model.ModelException.Kind;
import io.surfacelog.testing.Aside;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ScriptedModelTest {

    private static final ModelCall CALL = ModelCalls.saying("Hello");

    @Nested
    class Answers {

        @Test
        void a_text_comes_in_its_deltas_and_stops() throws Exception {
            CollectingSink said = ask(ScriptedModel.of(ScriptedAnswer.of("Hel", "lo")), CALL);

            assertThat(said.chunks())
                    .containsExactly(StreamChunk.text(0, "Hel"), StreamChunk.text(0, "lo"), FinishReason.STOP.chunk());
        }

        @Test
        void blocks_have_indexes_of_their_own_and_a_tool_call_is_what_it_finishes_with() throws Exception {
            CollectingSink said = ask(
                    ScriptedModel.of(ScriptedAnswer.begin()
                            .reasoning("Hm.")
                            .text("Let me look.")
                            .toolCall("call_1", "clock", "{\"zone\":", "\"UTC\"}")
                            .toolCall("call_2", "clock")
                            .usage(Usage.of(12, 3))),
                    CALL);

            assertThat(said.chunks())
                    .containsExactly(
                            StreamChunk.reasoning(0, "Hm."),
                            StreamChunk.text(1, "Let me look."),
                            StreamChunk.toolCall(2, "call_1", "clock", "{\"zone\":"),
                            StreamChunk.toolCall(2, "call_1", null, "\"UTC\"}"),
                            StreamChunk.toolCall(3, "call_2", "clock", ""),
                            StreamChunk.usage(Usage.of(12, 3)),
                            FinishReason.TOOL_CALLS.chunk());
        }

        @Test
        void a_reason_can_be_given() throws Exception {
            CollectingSink said =
                    ask(ScriptedModel.of(ScriptedAnswer.of("Too lo").finish(FinishReason.MAX_TOKENS)), CALL);

            assertThat(said.finish()).isEqualTo(FinishReason.MAX_TOKENS);
        }

        @Test
        void an_answer_can_be_made_of_what_is_asked() throws Exception {
            ScriptedModel model = ScriptedModel.builder()
                    .answer(call ->
                            ScriptedAnswer.of(call.request().messages().get(0).text() + "!"))
                    .build();

            assertThat(ask(model, CALL).text()).isEqualTo("Hello!");
        }

        @Test
        void nothing_can_follow_an_end() {
            assertThatThrownBy(() -> ScriptedAnswer.of("a").cutOff().text("b"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has ended");
            assertThatThrownBy(() ->
                            ScriptedAnswer.of("a").finish(FinishReason.STOP).usage(Usage.of(1, 1)))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Nested
    class Failures {

        private final ModelException busy = ModelException.of(Kind.TRANSIENT, "OVERLOADED", "busy");

        @Test
        void a_failure_instead_of_an_answer_says_nothing() {
            CollectingSink sink = new CollectingSink();

            assertThatThrownBy(() -> ScriptedModel.of(ScriptedAnswer.failing(busy)).stream(CALL, sink))
                    .isSameAs(busy);
            assertThat(sink.chunks()).isEmpty();
        }

        @Test
        void a_failure_in_the_middle_comes_behind_what_was_said() {
            CollectingSink sink = new CollectingSink();

            assertThatThrownBy(() -> ScriptedModel.of(ScriptedAnswer.of("Half").fail(busy)).stream(CALL, sink))
                    .isSameAs(busy);
            assertThat(sink.chunks()).containsExactly(StreamChunk.text(0, "Half"));
        }

        @Test
        void a_stream_that_is_cut_off_returns_without_a_finish() throws Exception {
            assertThat(ask(ScriptedModel.of(ScriptedAnswer.of("Half").cutOff()), CALL)
                            .chunks())
                    .containsExactly(StreamChunk.text(0, "Half"));
        }

        @Test
        void a_script_that_is_used_up_says_so_and_how_often_it_was_asked() throws Exception {
            ScriptedModel model = ScriptedModel.of(ScriptedAnswer.of("one"));
            ask(model, CALL);

            assertThatExceptionOfType(ModelException.class)
                    .isThrownBy(() -> ask(model, CALL))
                    .withMessageContaining("has 1 answers and was asked 2 times")
                    .satisfies(used -> {
                        assertThat(used.kind()).isEqualTo(Kind.PERMANENT);
                        assertThat(used.code()).isEqualTo(ScriptedModel.USED_UP);
                    });
        }

        @Test
        void what_comes_when_it_is_used_up_can_be_said() throws Exception {
            ScriptedModel model = ScriptedModel.builder()
                    .text("one")
                    .whenUsedUp(call -> ScriptedAnswer.of("more"))
                    .build();

            assertThat(ask(model, CALL).text()).isEqualTo("one");
            assertThat(ask(model, CALL).text()).isEqualTo("more");
            assertThat(ask(model, CALL).text()).isEqualTo("more");
        }
    }

    @Nested
    class Cancelling {

        @Test
        void a_model_that_hangs_ends_when_its_thread_is_interrupted() throws Exception {
            ScriptedModel model = ScriptedModel.of(ScriptedAnswer.of("Half").hang());
            CollectingSink sink = new CollectingSink();
            Running running = Running.of(model, sink);
            sink.await(1);

            running.thread().interrupt();

            assertThat(running.fault()).isInstanceOf(InterruptedException.class);
            assertThat(sink.isFinished()).isFalse();
        }

        @Test
        void a_model_that_hangs_ends_when_its_attempt_is_cancelled() throws Exception {
            ScriptedModel model = ScriptedModel.of(ScriptedAnswer.begin().hang());
            CollectingSink sink = new CollectingSink();
            Running running = Running.of(model, sink);
            assertThat(model.awaitCalls(1, PATIENCE)).isTrue();

            sink.cancel();

            assertThat(running.fault()).isInstanceOf(ModelCancelledException.class);
        }

        @Test
        void a_pause_ends_when_the_attempt_is_cancelled() throws Exception {
            ScriptedModel model = ScriptedModel.of(
                    ScriptedAnswer.of("Half").pause(Duration.ofHours(1)).text("done"));
            CollectingSink sink = new CollectingSink();
            Running running = Running.of(model, sink);
            sink.await(1);

            sink.cancel();

            assertThat(running.fault()).isInstanceOf(ModelCancelledException.class);
        }
    }

    @Test
    void it_remembers_what_it_was_asked_by_many_threads_and_gives_each_answer_once() throws Exception {
        ScriptedModel.Builder script = ScriptedModel.builder();
        for (int i = 0; i < 50; i++) {
            script.text("answer " + i);
        }
        ScriptedModel model = script.build();

        List<CompletableFuture<String>> asked = java.util.stream.IntStream.range(0, 50)
                .mapToObj(i -> Aside.supply(() -> {
                    try {
                        return ask(model, ModelCalls.saying("question " + i)).text();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }))
                .toList();

        assertThat(asked.stream().map(CompletableFuture::join).distinct()).hasSize(50);
        assertThat(model.calls().stream()
                        .map(call -> call.request().messages().get(0).text())
                        .distinct())
                .hasSize(50);
        assertThat(model.awaitCalls(51, Duration.ZERO)).isFalse();
    }

    @Test
    void a_reason_is_read_in_every_dialect_and_an_unknown_word_is_kept() {
        assertThat(FinishReason.of(StreamChunk.finish("length"))).isEqualTo(FinishReason.MAX_TOKENS);
        assertThat(FinishReason.of(StreamChunk.finish("end_turn"))).isEqualTo(FinishReason.STOP);
        assertThat(FinishReason.of(StreamChunk.finish("tool_use"))).isEqualTo(FinishReason.TOOL_CALLS);
        for (FinishReason reason : FinishReason.values()) {
            assertThat(FinishReason.of(reason.chunk())).isEqualTo(reason);
        }
        assertThat(FinishReason.chunk("odd_word").json().toText()).contains("\"odd_word\"");
        assertThat(FinishReason.of(FinishReason.chunk("odd_word"))).isEqualTo(FinishReason.OTHER);
    }

    /**
     * A model that streams on a thread of its own.
     *
     * @param thread the thread
     * @param end how it ended, null for well
     */
    record Running(Thread thread, FutureTask<Throwable> end) {

        static Running of(ModelPort model, ChunkSink sink) {
            return of(model, CALL, sink);
        }

        static Running of(ModelPort model, ModelCall call, ChunkSink sink) {
            FutureTask<Throwable> end = new FutureTask<>(() -> {
                try {
                    model.stream(call, sink);
                    return null;
                } catch (InterruptedException | RuntimeException e) {
                    return e;
                }
            });
            Thread thread = new Thread(end, "model under test");
            thread.setDaemon(true);
            thread.start();
            return new Running(thread, end);
        }

        Throwable fault() throws Exception {
            return end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
