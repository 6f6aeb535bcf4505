package io.surfacelog.model;

import static io.surfacelog.model.OpenAiStreams.content;
import static io.surfacelog.model.OpenAiStreams.failure;
import static io.surfacelog.model.OpenAiStreams.finish;
import static io.surfacelog.model.OpenAiStreams.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.StreamChunk;
import io.surfacelog.model.ModelException.Kind;
import io.surfacelog.model.ScriptedModelTest.Running;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Endpoints that do not end: the attempt does, when it is cancelled or the time is up, and the connection with it. */
class OpenAiCancelTest {

    private static final ModelCall CALL = ModelCalls.saying("Hello");

    enum Endless {
        SILENT_BEFORE_HEADERS {
            @Override
            void answer(BadEndpoint.Line line) throws Exception {
                line.hang();
            }
        },
        SILENT_IN_THE_STREAM {
            @Override
            void answer(BadEndpoint.Line line) throws Exception {
                line.send(BadEndpoint.STREAM);
                line.event(content("Half"));
                line.hang();
            }
        },
        TALKING_FOR_EVER {
            @Override
            void answer(BadEndpoint.Line line) throws Exception {
                line.send(BadEndpoint.STREAM);
                line.repeat("data: " + content("more ") + "\n\n");
            }
        },
        COMMENTING_FOR_EVER {
            @Override
            void answer(BadEndpoint.Line line) throws Exception {
                line.send(BadEndpoint.STREAM);
                line.event(content("Half"));
                line.repeat(": still here\n\n");
            }
        };

        abstract void answer(BadEndpoint.Line line) throws Exception;

        BadEndpoint endpoint(CountDownLatch answering) {
            return BadEndpoint.of(line -> {
                answering.countDown();
                answer(line);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_interrupt_ends_the_attempt_and_closes_the_connection(Endless kind) throws Exception {
        CountDownLatch answering = new CountDownLatch(1);
        CollectingSink sink = new CollectingSink();
        try (BadEndpoint endpoint = kind.endpoint(answering);
                OpenAiModel model = OpenAiModel.of(settings(endpoint).idleTimeout(Duration.ofHours(1)))) {
            Running running = Running.of(model, CALL, sink);
            answering.await();
            if (kind != Endless.SILENT_BEFORE_HEADERS) {
                sink.await(1);
            }

            running.thread().interrupt();

            assertThat(running.fault()).isInstanceOf(InterruptedException.class);
            assertThat(endpoint.awaitClosedByClient()).isTrue();
            assertThat(sink.isFinished()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_cancelled_attempt_ends_without_an_interrupt(Endless kind) throws Exception {
        CountDownLatch answering = new CountDownLatch(1);
        CollectingSink sink = new CollectingSink();
        try (BadEndpoint endpoint = kind.endpoint(answering);
                OpenAiModel model = OpenAiModel.of(settings(endpoint).idleTimeout(Duration.ofHours(1)))) {
            Running running = Running.of(model, CALL, sink);
            answering.await();

            sink.cancel();

            assertThat(running.fault()).isInstanceOf(ModelCancelledException.class);
            assertThat(endpoint.awaitClosedByClient()).isTrue();
        }
    }

    @Test
    void a_taker_that_fails_ends_the_attempt_and_closes_the_connection() throws Exception {
        IllegalStateException full = new IllegalStateException("the log is full");
        try (BadEndpoint endpoint = Endless.TALKING_FOR_EVER.endpoint(new CountDownLatch(1));
                OpenAiModel model = OpenAiModel.of(settings(endpoint))) {
            ChunkSink failing = new ChunkSink() {
                @Override
                public void accept(StreamChunk chunk) {
                    throw full;
                }

                @Override
                public boolean isCancelled() {
                    return false;
                }
            };

            assertThatThrownBy(() -> model.stream(CALL, failing)).isSameAs(full);
            assertThat(endpoint.awaitClosedByClient()).isTrue();
        }
    }

    @Nested
    class Timeouts {

        @ParameterizedTest
        @EnumSource(names = {"SILENT_BEFORE_HEADERS", "SILENT_IN_THE_STREAM"})
        void silence_is_given_up_after_the_idle_time(Endless kind) throws Exception {
            try (BadEndpoint endpoint = kind.endpoint(new CountDownLatch(1))) {
                ModelException fault =
                        failure(settings(endpoint).idleTimeout(Duration.ofMillis(300)), new CollectingSink());

                assertThat(fault.kind()).isEqualTo(Kind.TRANSIENT);
                assertThat(fault.code()).isEqualTo("TIMEOUT");
                assertThat(fault).hasMessageContaining("PT0.3S");
                assertThat(endpoint.awaitClosedByClient()).isTrue();
            }
        }

        @ParameterizedTest
        @EnumSource(names = {"TALKING_FOR_EVER", "COMMENTING_FOR_EVER"})
        void an_answer_without_an_end_is_given_up_after_the_time_for_a_call(Endless kind) throws Exception {
            try (BadEndpoint endpoint = kind.endpoint(new CountDownLatch(1))) {
                ModelException fault =
                        failure(settings(endpoint).callTimeout(Duration.ofMillis(500)), new CollectingSink());

                assertThat(fault.kind()).isEqualTo(Kind.TRANSIENT);
                assertThat(fault.code()).isEqualTo("TIMEOUT");
                assertThat(endpoint.awaitClosedByClient()).isTrue();
            }
        }
    }

    @Test
    void a_model_can_be_asked_again_after_a_cancelled_attempt_and_by_many_at_once() throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.streaming(content("Hello"), finish("stop"));
                OpenAiModel model = OpenAiModel.of(settings(endpoint))) {
            CollectingSink cancelled = new CollectingSink();
            cancelled.cancel();
            assertThatThrownBy(() -> model.stream(CALL, cancelled)).isInstanceOf(ModelCancelledException.class);

            CollectingSink[] sinks = new CollectingSink[20];
            Running[] all = new Running[sinks.length];
            for (int i = 0; i < sinks.length; i++) {
                sinks[i] = new CollectingSink();
                all[i] = Running.of(model, CALL, sinks[i]);
            }
            for (int i = 0; i < sinks.length; i++) {
                assertThat(all[i].fault()).isNull();
                assertThat(sinks[i].text()).isEqualTo("Hello");
            }
        }
    }
}
