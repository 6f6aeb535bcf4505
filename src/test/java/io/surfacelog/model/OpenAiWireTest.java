package io.surfacelog.model;

import static io.surfacelog.model.OpenAiStreams.DONE;
import static io.surfacelog.model.OpenAiStreams.ask;
import static io.surfacelog.model.OpenAiStreams.content;
import static io.surfacelog.model.OpenAiStreams.delta;
import static io.surfacelog.model.OpenAiStreams.failure;
import static io.surfacelog.model.OpenAiStreams.finish;
import static io.surfacelog.model.OpenAiStreams.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.model.BadEndpoint.Line;
import io.surfacelog.model.ModelException.Kind;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that arrive in odd pieces, odd forms, or not whole. */
class OpenAiWireTest {

    @Nested
    class Harmless {

        @Test
        void a_character_may_be_cut_over_network_chunks_at_every_byte() throws Exception {
            String text = "実装は 🦀 です é";
            byte[] stream = ("data: " + content(text) + "\n\ndata: " + finish("stop") + "\n\n")
                    .getBytes(StandardCharsets.UTF_8);
            try (BadEndpoint endpoint = BadEndpoint.of(line -> {
                line.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                for (byte b : stream) {
                    line.send(new byte[] {'1', '\r', '\n', b, '\r', '\n'});
                }
                line.send("0\r\n\r\n");
            })) {
                assertThat(ask(endpoint).text()).isEqualTo(text);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"\n", "\r\n", "\r"})
        void lines_may_end_in_any_way_and_comments_and_other_fields_are_passed_over(String end) throws Exception {
            String stream = String.join(
                    end,
                    "\uFEFF: hello",
                    "retry: 10",
                    "event: chunk",
                    "id: 7",
                    "data:" + content("Hel"),
                    "",
                    ": keep-alive",
                    "",
                    "",
                    "data: " + content("lo"),
                    "",
                    "data: " + finish("stop"),
                    "",
                    "data: [DONE]",
                    "",
                    "");
            try (BadEndpoint endpoint = BadEndpoint.of(line -> line.send(BadEndpoint.STREAM + stream))) {
                CollectingSink said = ask(endpoint);

                assertThat(said.text()).isEqualTo("Hello");
                assertThat(said.finish()).isEqualTo(FinishReason.STOP);
            }
        }

        @Test
        void data_over_several_lines_is_one_event() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.of(
                    line -> line.send(
                            BadEndpoint.STREAM
                                    + "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"Hi\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n"))) {
                assertThat(ask(endpoint).text()).isEqualTo("Hi");
            }
        }

        @Test
        void without_done_and_without_the_last_blank_line_an_answer_that_has_a_reason_is_complete() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.of(line -> {
                line.send(BadEndpoint.STREAM);
                line.event(content("Hello"));
                line.send("data: " + finish("stop"));
            })) {
                assertThat(ask(endpoint).finish()).isEqualTo(FinishReason.STOP);
            }
        }

        @Test
        void nulls_unknown_fields_and_other_choices_say_nothing() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.streaming(
                    "{\"choices\":[],\"prompt_filter_results\":[{\"x\":1}]}",
                    "{\"choices\":null,\"error\":null,\"x\":9007199254740993}",
                    "{\"choices\":[null,7,{\"index\":0,\"delta\":null}]}",
                    delta("\"content\":null,\"tool_calls\":null,\"function_call\":null,\"audio\":{}"),
                    "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"},\"finish_reason\":\"length\"}]}",
                    "{\"choices\":[{\"index\":0,\"delta\":{\"content\":[\"odd\"]}}]}",
                    content("Hello"),
                    finish("stop"),
                    DONE)) {
                assertThat(ask(endpoint).chunks())
                        .containsExactly(StreamChunk.text(0, "Hello"), FinishReason.STOP.chunk());
            }
        }

        @Test
        void a_line_of_four_megabytes_is_a_line() throws Exception {
            String large = "x".repeat(4 << 20);
            try (BadEndpoint endpoint = BadEndpoint.streaming(content(large), finish("stop"))) {
                assertThat(ask(endpoint).text()).isEqualTo(large);
            }
        }

        @Test
        void what_follows_the_end_of_the_answer_does_not_undo_it() throws Exception {
            for (String after : new String[] {"{broken", "{\"error\":{\"message\":\"late\"}}", "7"}) {
                try (BadEndpoint endpoint = BadEndpoint.streaming(content("Hello"), finish("stop"), after)) {
                    assertThat(ask(endpoint).finish()).isEqualTo(FinishReason.STOP);
                }
            }
            try (BadEndpoint endpoint = BadEndpoint.of(line -> {
                line.send("HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n");
                line.event(content("Hello"));
                line.event(finish("stop"));
            })) {
                assertThat(ask(endpoint).finish()).isEqualTo(FinishReason.STOP);
            }
        }

        @Test
        void an_endpoint_that_keeps_the_connection_open_after_its_answer_is_not_waited_for() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.of(line -> {
                line.send(BadEndpoint.STREAM);
                line.event(content("Hello"));
                line.event(finish("stop"));
                line.hang();
            })) {
                assertThat(ask(settings(endpoint).idleTimeout(Duration.ofMinutes(5)))
                                .finish())
                        .isEqualTo(FinishReason.STOP);
                assertThat(endpoint.awaitClosedByClient()).isTrue();
            }
        }
    }

    @Nested
    class Broken {

        @Test
        void a_stream_that_ends_without_a_reason_is_cut_off() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.streaming(content("Half"))) {
                assertThat(ask(endpoint).chunks()).containsExactly(StreamChunk.text(0, "Half"));
            }
        }

        @Test
        void a_stream_that_ends_inside_its_json_is_cut_off_before_it() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.of(line -> {
                line.send(BadEndpoint.STREAM);
                line.event(content("Half"));
                line.send("data: {\"choices\":[{\"delta\":{\"cont");
            })) {
                assertThat(ask(endpoint).chunks()).containsExactly(StreamChunk.text(0, "Half"));
            }
        }

        @Test
        void a_connection_that_closes_inside_a_chunk_has_failed() throws Exception {
            fails("CONNECTION_FAILED", line -> {
                line.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                line.send("ff\r\ndata: {\"cho");
            });
        }

        @Test
        void a_reset_connection_has_failed() throws Exception {
            fails("CONNECTION_FAILED", Line::reset);
            fails("CONNECTION_FAILED", line -> {
                line.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                line.reset();
            });
        }

        @Test
        void an_endpoint_that_is_not_there_cannot_be_reached() throws Exception {
            BadEndpoint gone = BadEndpoint.streaming();
            gone.close();

            ModelException fault = failure(gone);

            assertThat(fault.code()).isEqualTo("CONNECTION_FAILED");
            assertThat(fault.kind()).isEqualTo(Kind.TRANSIENT);
            assertThat(fault).hasMessageContaining(gone.url());
        }

        @ParameterizedTest
        @ValueSource(strings = {"{broken", "nonsense", "[1]", "{\"a\":1}{\"b\":2}"})
        void an_event_that_is_no_json_object_is_a_bad_stream_behind_what_was_good(String data) throws Exception {
            CollectingSink sink = new CollectingSink();
            try (BadEndpoint endpoint = BadEndpoint.streaming(content("Half"), data, finish("stop"))) {
                ModelException fault = failure(settings(endpoint), sink);

                assertThat(fault.code()).isEqualTo("BAD_STREAM");
                assertThat(fault.kind()).isEqualTo(Kind.TRANSIENT);
                assertThat(fault).hasMessageContaining(data);
                assertThat(sink.text()).isEqualTo("Half");
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "ok",
                    "<!DOCTYPE html>\n<html><body>Welcome</body></html>",
                    "{\"status\":\"fine\"}",
                    "\u0000\u0001\u0002",
                    "data: {}\n\n",
                    "data: [DONE]\n\n",
                })
        void a_body_that_is_no_answer_is_no_stream(String body) throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.answering("200 OK", "Content-Type: text/html\r\n", body)) {
                ModelException fault = failure(endpoint);

                assertThat(fault.code()).isEqualTo("NOT_A_STREAM");
                assertThat(fault.kind()).isEqualTo(Kind.TRANSIENT);
            }
        }

        @Test
        void a_line_without_an_end_is_given_up_before_it_fills_the_memory() throws Exception {
            String much = "x".repeat(1 << 16);
            try (BadEndpoint endpoint = BadEndpoint.of(line -> {
                line.send(BadEndpoint.STREAM + "data: ");
                line.repeat(much);
            })) {
                ModelException fault = failure(endpoint);

                assertThat(fault.code()).isEqualTo("BAD_STREAM");
                assertThat(fault).hasMessageContaining(Integer.toString(OpenAiEvents.MAX_BYTES));
                assertThat(endpoint.awaitClosedByClient()).isTrue();
            }
        }

        private static void fails(String code, BadEndpoint.Script script) throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.of(script)) {
                ModelException fault = failure(endpoint);

                assertThat(fault.code()).isEqualTo(code);
                assertThat(fault.kind()).isEqualTo(Kind.TRANSIENT);
                assertThat(fault).hasMessageContaining(endpoint.url()).hasCauseInstanceOf(IOException.class);
                assertThat(endpoint.received()).hasSize(1);
            }
        }
    }

    @Test
    void the_network_chunks_of_the_known_case_give_its_text() throws Exception {
        JsonObject known = SharedFolder.json(SharedFolder.bugCases().resolve("B33.json"));
        String event = content("TEXT") + "\n\n";
        int cut = event.indexOf("TEXT");
        try (BadEndpoint endpoint = BadEndpoint.of(line -> {
            line.send(BadEndpoint.STREAM + "data: " + event.substring(0, cut));
            for (Json chunk : known.array("chunks").orElseThrow().items()) {
                line.send(Base64.getDecoder().decode(((JsonString) chunk).value()));
            }
            line.send(event.substring(cut + 4));
            line.event(finish("stop"));
        })) {
            assertThat(ask(endpoint).text())
                    .isEqualTo(known.string("expectText").orElseThrow())
                    .doesNotContain(known.string("expectNo").orElseThrow());
        }
    }

    @Test
    void events_are_the_same_however_their_bytes_are_cut() {
        byte[] stream = ": hi\r\ndata: 実\rdata: b\n\nevent: x\ndata:🦀\r\n\r\n\r\ndata\n\ndata: é"
                .getBytes(StandardCharsets.UTF_8);
        Seeds.forEach(300, seed -> {
            Random random = new Random(seed);
            OpenAiEvents events = new OpenAiEvents(new CutStream(stream, random), 1_000);
            try {
                assertThat(events.next()).isEqualTo(new OpenAiEvents.Event("実\nb", true));
                assertThat(events.next()).isEqualTo(new OpenAiEvents.Event("🦀", true));
                assertThat(events.next()).isEqualTo(new OpenAiEvents.Event("", true));
                assertThat(events.next()).isEqualTo(new OpenAiEvents.Event("é", false));
                assertThat(events.next()).isNull();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Hands out some bytes at a time. */
    private static final class CutStream extends java.io.InputStream {
        private final byte[] bytes;
        private final Random random;
        private int at;

        CutStream(byte[] bytes, Random random) {
            this.bytes = bytes;
            this.random = random;
        }

        @Override
        public int read() {
            return at == bytes.length ? -1 : bytes[at++] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int most) {
            if (at == bytes.length) {
                return -1;
            }
            int count = Math.min(Math.min(most, bytes.length - at), 1 + random.nextInt(4));
            byte[] some = Arrays.copyOfRange(bytes, at, at + count);
            System.arraycopy(some, 0, into, from, count);
            at += count;
            return count;
        }
    }
}
