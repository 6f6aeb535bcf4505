package io.surfacelog.model;

import static io.surfacelog.model.OpenAiStreams.DONE;
import static io.surfacelog.model.OpenAiStreams.KEY;
import static io.surfacelog.model.OpenAiStreams.ask;
import static io.surfacelog.model.OpenAiStreams.content;
import static io.surfacelog.model.OpenAiStreams.delta;
import static io.surfacelog.model.OpenAiStreams.finish;
import static io.surfacelog.model.OpenAiStreams.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.Usage;
import io.surfacelog.projection.ModelRequest;
import io.surfacelog.provider.Provider;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A model over an endpoint that does what it should, in all the ways that endpoints have. */
class OpenAiModelTest {

    @Nested
    class Requests {

        @Test
        void hold_the_rendered_request_and_ask_for_a_stream_with_usage() throws Exception {
            ModelCall call = ModelCalls.saying("Where is my parcel? 🦀");
            try (BadEndpoint endpoint = BadEndpoint.streaming(content("Here."), finish("stop"), DONE);
                    OpenAiModel model = OpenAiModel.of(settings(endpoint))) {
                CollectingSink.ask(model, call);

                JsonObject sent = endpoint.received().get(0).body();
                assertThat(endpoint.received().get(0).head())
                        .startsWith("POST /v1/chat/completions HTTP/1.1")
                        .contains("Authorization: Bearer " + KEY);
                assertThat(sent.isTrue("stream")).isTrue();
                assertThat(sent.object("stream_options").orElseThrow().isTrue("include_usage"))
                        .isTrue();
                assertThat(sent.without("stream").without("stream_options"))
                        .isEqualTo(Provider.OPENAI
                                .render(call.request().header(), call.request().messages())
                                .body());
            }
        }

        @Test
        void without_a_key_say_nothing_of_authorization() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.streaming(finish("stop"))) {
                ask(settings(endpoint).key(OpenAiKey.none()));

                assertThat(endpoint.received().get(0).hasHeader("Authorization"))
                        .isFalse();
            }
        }

        @Test
        void ask_for_the_key_each_time_and_fail_where_there_is_none() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.streaming(finish("stop"))) {
                assertThatExceptionOfType(ModelException.class)
                        .isThrownBy(() ->
                                ask(settings(endpoint).key(OpenAiKey.environment("SURFACELOG_TEST_NO_SUCH_VARIABLE"))))
                        .withMessageContaining("SURFACELOG_TEST_NO_SUCH_VARIABLE")
                        .satisfies(fault -> assertThat(fault.code()).isEqualTo("API_KEY_MISSING"));
                assertThatExceptionOfType(ModelException.class)
                        .isThrownBy(() -> ask(settings(endpoint).key(OpenAiKey.of(() -> "se\ncret"))))
                        .satisfies(fault -> assertThat(fault.toString()).doesNotContain("cret"));
                assertThat(endpoint.received()).isEmpty();
            }
        }

        @Test
        void without_a_header_ask_the_model_of_the_settings_or_fail() throws Exception {
            ModelCall bare = new ModelCall(
                    ModelCalls.saying("Hello").session(),
                    1,
                    1,
                    1,
                    new ModelRequest(Optional.empty(), Optional.empty(), List.of(ModelCalls.user("Hello"))));
            try (BadEndpoint endpoint = BadEndpoint.streaming(finish("stop"));
                    OpenAiModel named = OpenAiModel.of(settings(endpoint).model("small-model"));
                    OpenAiModel unnamed = OpenAiModel.of(settings(endpoint))) {
                CollectingSink.ask(named, bare);
                assertThat(endpoint.received().get(0).body().string("model")).contains("small-model");

                assertThatExceptionOfType(ModelException.class)
                        .isThrownBy(() -> CollectingSink.ask(unnamed, bare))
                        .satisfies(fault -> assertThat(fault.code()).isEqualTo("MODEL_MISSING"));
            }
        }

        @Test
        void lose_no_digit_on_their_way_through_the_library() {
            Json exact =
                    Json.parse("{\"n\":[9007199254740993,0.10000000000000000001,-1.5e300,null,true,\"a\\u0000b\"]}");

            assertThat(Json.parse(text(exact))).isEqualTo(exact);
        }

        private static String text(Json value) {
            try {
                return com.openai.core.ObjectMappers.jsonMapper().writeValueAsString(OpenAiJson.of(value));
            } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Nested
    class Answers {

        @Test
        void text_comes_as_deltas_with_usage_and_finish_last() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.streaming(
                    delta("\"role\":\"assistant\",\"content\":\"\""),
                    content("Hel"),
                    content("lo"),
                    finish("stop"),
                    "{\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":7,"
                            + "\"prompt_tokens_details\":{\"cached_tokens\":64},"
                            + "\"completion_tokens_details\":{\"reasoning_tokens\":3}}}",
                    DONE)) {
                assertThat(ask(endpoint).chunks())
                        .containsExactly(
                                StreamChunk.text(0, "Hel"),
                                StreamChunk.text(0, "lo"),
                                StreamChunk.usage(
                                        new Usage(
                                                (JsonObject)
                                                        Json.parse(
                                                                "{\"inputTokens\":36,\"outputTokens\":7,\"cacheReadTokens\":64,\"reasoningTokens\":3}"))),
                                FinishReason.STOP.chunk());
            }
        }

        @ParameterizedTest
        @CsvSource({"reasoning_content", "reasoning"})
        void reasoning_is_a_block_of_its_own_before_the_text(String member) throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.streaming(
                    delta("\"content\":null,\"" + member + "\":\"Hm\""),
                    delta("\"content\":\"\",\"" + member + "\":\"m.\""),
                    delta("\"content\":\"Yes\",\"" + member + "\":null"),
                    finish("stop"))) {
                assertThat(ask(endpoint).chunks())
                        .startsWith(
                                StreamChunk.reasoning(0, "Hm"),
                                StreamChunk.reasoning(0, "m."),
                                StreamChunk.text(1, "Yes"));
            }
        }

        @Test
        void text_in_parts_is_text() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.streaming(
                    delta(
                            "\"content\":[{\"type\":\"text\",\"text\":\"Good \"},7,{\"type\":\"text\",\"text\":\"day\"}]"),
                    delta("\"content\":[]"),
                    content("."),
                    finish("stop"))) {
                assertThat(ask(endpoint).text()).isEqualTo("Good day.");
            }
        }

        @Test
        void a_refusal_is_text_that_the_person_sees() throws Exception {
            try (BadEndpoint endpoint =
                    BadEndpoint.streaming(delta("\"content\":null,\"refusal\":\"I will not.\""), finish("stop"))) {
                assertThat(ask(endpoint).text()).isEqualTo("I will not.");
            }
        }

        @ParameterizedTest
        @CsvSource({
            "stop, STOP",
            "length, MAX_TOKENS",
            "tool_calls, TOOL_CALLS",
            "function_call, TOOL_CALLS",
            "content_filter, CONTENT_FILTER",
            "tired, OTHER",
        })
        void the_reason_it_finished_for_is_told(String word, FinishReason reason) throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.streaming(content("x"), finish(word), DONE)) {
                assertThat(ask(endpoint).finish()).isEqualTo(reason);
            }
        }

        @Test
        void deepseek_counts_its_cache_in_words_of_its_own() throws Exception {
            try (BadEndpoint endpoint = BadEndpoint.streaming("{\"choices\":[{\"delta\":{\"content\":\"x\"},"
                    + "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":1,"
                    + "\"prompt_cache_hit_tokens\":8,\"prompt_cache_miss_tokens\":2}}")) {
                assertThat(ask(settings(endpoint).provider(Provider.DEEPSEEK)).chunks())
                        .contains(StreamChunk.usage(new Usage((JsonObject)
                                Json.parse("{\"inputTokens\":2,\"outputTokens\":1,\"cacheReadTokens\":8}"))));
            }
        }

        @Test
        void an_endpoint_that_does_not_stream_answers_in_one_piece() throws Exception {
            String whole =
                    "{\n \"object\": \"chat.completion\",\n \"choices\": [{\"index\":0,\"message\":{\"role\":\"assistant\","
                            + "\"content\":\"Whole.\"},\"finish_reason\":\"stop\"}],\n \"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}";
            try (BadEndpoint endpoint = BadEndpoint.answering("200 OK", "Content-Type: application/json\r\n", whole)) {
                assertThat(ask(endpoint).chunks())
                        .containsExactly(
                                StreamChunk.text(0, "Whole."),
                                StreamChunk.usage(Usage.of(1, 2)),
                                FinishReason.STOP.chunk());
            }
        }
    }

    @Nested
    class Settings {

        @Test
        void no_part_of_the_key_is_shown() {
            OpenAiSettings settings = OpenAiSettings.at("http://localhost/v1").key(OpenAiKey.of(() -> KEY));

            assertThat(settings.toString()).doesNotContain(KEY).contains("OpenAiKey[supplier]");
        }

        @ParameterizedTest
        @CsvSource({
            "ftp://host/v1",
            "http:///v1",
            "https://user:secret@host/v1",
            "https://host/v1?key=secret",
            "host/v1"
        })
        void a_base_url_that_is_none_or_holds_a_secret_is_refused_without_repeating_it(String url) {
            assertThatThrownBy(() -> OpenAiSettings.at(url))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("base URL")
                    .hasMessageNotContaining("secret");
        }

        @Test
        void a_provider_with_another_protocol_and_a_time_out_of_bounds_are_refused() {
            OpenAiSettings settings = OpenAiSettings.at("http://localhost/v1");

            assertThatThrownBy(() -> settings.provider(Provider.ANTHROPIC)).hasMessageContaining("ANTHROPIC");
            assertThatThrownBy(() -> settings.idleTimeout(java.time.Duration.ZERO))
                    .hasMessageContaining("idle timeout");
        }
    }
}
