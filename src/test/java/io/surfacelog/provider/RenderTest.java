package io.surfacelog.provider;

import static io.surfacelog.provider.Chat.assistant;
import static io.surfacelog.provider.Chat.call;
import static io.surfacelog.provider.Chat.header;
import static io.surfacelog.provider.Chat.lines;
import static io.surfacelog.provider.Chat.message;
import static io.surfacelog.provider.Chat.messages;
import static io.surfacelog.provider.Chat.render;
import static io.surfacelog.provider.Chat.result;
import static io.surfacelog.provider.Chat.rules;
import static io.surfacelog.provider.Chat.text;
import static io.surfacelog.provider.Chat.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.ImageBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.Message;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.model.ToolDefinition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each provider is sent, rule by rule. */
class RenderTest {

    private static final ContentBlock PNG =
            ImageBlock.of(Json.parse("{\"mediaType\":\"image/png\",\"data\":\"iVBORw0KGgo=\"}"));

    private static Json json(String text) {
        return Json.parse(text);
    }

    private static ContentBlock thinking(String text, String signature) {
        return ContentBlock.of(ReasoningBlock.of(text).json().with("signature", JsonString.of(signature)));
    }

    @Test
    void a_whole_request_of_OpenAI() {
        RenderedRequest request = ProviderAssertions.sound(
                Provider.OPENAI,
                header("{\"config\":{\"provider\":\"o\",\"model\":\"m\",\"temperature\":0.5,\"maxTokens\":9,"
                        + "\"stop\":[\"END\"],\"reasoningEffort\":\"low\"},\"system\":\"Be brief.\",\"tools\":["
                        + ToolDefinition.of("read", "Reads.").json() + "]}"),
                List.of(user("q"), assistant(ToolCallBlock.of("c1", "read", "{\"a\": 1.0}")), result("c1", "r")));

        assertThat(request.body())
                .isEqualTo(
                        json("{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},{\"role\":"
                                + "\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
                                + "[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":"
                                + "\"{\\\"a\\\": 1.0}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"r\"}"
                                + "],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"read\",\"description\":"
                                + "\"Reads.\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}}],\"temperature\":"
                                + "0.5,\"max_completion_tokens\":9,\"stop\":[\"END\"],\"reasoning_effort\":\"low\"}"));
        assertThat(request.adjustments()).isEmpty();
    }

    @Test
    void a_whole_request_of_Anthropic() {
        RenderedRequest request = ProviderAssertions.sound(
                Provider.ANTHROPIC,
                header("{\"config\":{\"provider\":\"a\",\"model\":\"m\",\"temperature\":0.5,\"maxTokens\":9,"
                        + "\"stop\":\"END\"},\"system\":\"Be brief.\",\"tools\":["
                        + ToolDefinition.of("read", "Reads.").json() + "]}"),
                List.of(
                        user("q"),
                        assistant(thinking("hm", "sig"), text("wait"), call("c1"), call("c2")),
                        result("c1", "one"),
                        Message.toolResult(ToolResultBlock.error("c2", "two"))));

        assertThat(request.body())
                .isEqualTo(
                        json("{\"model\":\"m\",\"max_tokens\":9,\"system\":\"Be brief.\",\"tools\":[{\"name\":\"read\","
                                + "\"description\":\"Reads.\",\"input_schema\":{\"type\":\"object\",\"properties\":{}}}],"
                                + "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"q\"}]},"
                                + "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":"
                                + "\"sig\"},{\"type\":\"text\",\"text\":\"wait\"},{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":"
                                + "\"read\",\"input\":{}},{\"type\":\"tool_use\",\"id\":\"c2\",\"name\":\"read\",\"input\":{}}]},"
                                + "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"c1\",\"content\":"
                                + "[{\"type\":\"text\",\"text\":\"one\"}]},{\"type\":\"tool_result\",\"tool_use_id\":\"c2\","
                                + "\"content\":[{\"type\":\"text\",\"text\":\"two\"}],\"is_error\":true}]}],\"temperature\":0.5,"
                                + "\"stop_sequences\":[\"END\"]}"));
        assertThat(request.adjustments()).isEmpty();
    }

    @Test
    void DeepSeek_gets_its_reasoning_back_in_turns_with_calls_even_where_it_is_empty_and_nowhere_else() {
        RenderedRequest request = render(
                Provider.DEEPSEEK,
                user("q"),
                assistant(ReasoningBlock.of("idle"), text("hello")),
                user("read it"),
                assistant(ReasoningBlock.of("need it"), call("c1")),
                result("c1", "r"),
                assistant(call("c2")),
                result("c2", "r"),
                assistant(ReasoningBlock.of("done"), text("so")),
                user("thanks"));

        assertThat(message(request, 1).has("reasoning_content")).isFalse();
        assertThat(message(request, 3).string("reasoning_content")).contains("need it");
        assertThat(message(request, 5).string("reasoning_content")).contains("");
        assertThat(message(request, 7).string("reasoning_content")).contains("done");
        assertThat(rules(request)).containsExactly("reasoning.left-out@1");
    }

    @Test
    void Anthropic_gets_reasoning_back_only_with_its_signature_and_never_at_the_end() {
        RenderedRequest request = render(
                Provider.ANTHROPIC,
                user("q"),
                assistant(ReasoningBlock.of("no signature"), text("a"), thinking("trails", "sig")),
                user("q2"),
                assistant(thinking("alone", "sig")),
                user("q3"));

        assertThat(request.body().toText()).doesNotContain("thinking");
        assertThat(rules(request))
                .containsExactly(
                        "reasoning.left-out@1",
                        "reasoning.left-out@1",
                        "reasoning.left-out@3",
                        "message.blank@3",
                        "message.merged@4");
    }

    @Test
    void roles_take_turns_where_the_provider_wants_it_and_stay_apart_where_not() {
        Message[] messages = {user("a"), user("b"), assistant(text("c")), assistant(text("d")), user("e")};

        assertThat(lines(render(Provider.DEEPSEEK, messages)))
                .containsExactly("user: a\n\nb", "assistant: c\n\nd", "user: e");
        assertThat(messages(render(Provider.ANTHROPIC, messages)).size()).isEqualTo(3);
        assertThat(rules(render(Provider.ANTHROPIC, messages))).containsExactly("message.merged@1", "message.merged@3");
        assertThat(lines(render(Provider.OPENAI, messages))).hasSize(5);
    }

    @Test
    void parallel_results_and_what_the_user_says_next_are_one_message_results_first() {
        RenderedRequest request = render(
                Provider.ANTHROPIC,
                user("q"),
                assistant(call("c1"), call("c2")),
                user("steer"),
                result("c1", "one"),
                result("c2", "two"));

        assertThat(message(request, 2).array("content").orElseThrow().items().stream()
                        .map(block -> ((JsonObject) block).string("type").orElseThrow()))
                .containsExactly("tool_result", "tool_result", "text");
    }

    @ParameterizedTest
    @EnumSource
    void a_history_that_does_not_begin_with_the_user_gets_a_minimal_message(Provider provider) {
        RenderedRequest request = render(provider, assistant(text("hello")), user("q"));

        assertThat(messages(request).size()).isEqualTo(3);
        assertThat(message(request, 0).string("role")).contains("user");
        assertThat(rules(request)).containsExactly("message.first@-1");
        assertThat(messages(render(provider)).size()).isEqualTo(1);
    }

    @Test
    void the_assistant_does_not_come_last_where_that_is_refused() {
        Message[] messages = {user("q"), assistant(text("cut off in mid"))};

        assertThat(lines(render(Provider.OPENAI, messages))).hasSize(2);
        assertThat(lines(render(Provider.DEEPSEEK, messages))).endsWith("user: Continue.");
        assertThat(rules(render(Provider.ANTHROPIC, messages))).containsExactly("message.last@-1");
    }

    @ParameterizedTest
    @EnumSource
    void what_says_nothing_is_left_out(Provider provider) {
        RenderedRequest request =
                render(provider, user("q"), assistant(text(""), text(" \n")), user(" "), user("again"));

        assertThat(rules(request)).contains("message.blank@1", "message.blank@2");
        assertThat(request.body().toText()).doesNotContain("assistant");
    }

    @ParameterizedTest
    @EnumSource
    void lone_surrogates_become_replacement_characters_in_names_and_values_at_any_depth(Provider provider) {
        ToolCallBlock call = ToolCallBlock.of("c1", "read", "{\"\\ud800\":{\"\\udc00\":[\"x\\ud83d\"]},\"\\ud801\":1}");
        RenderedRequest request = render(provider, user("a\uD83Db"), assistant(call), result("c1", "\uDE00"));

        assertThat(request.body().toText())
                .contains("a\uFFFDb", "x\uFFFD", "\uFFFD_2")
                .doesNotContain("\\ud8");
        assertThat(rules(request)).contains("unicode.replaced@0", "unicode.replaced@1", "unicode.replaced@2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "oops", "[1]", "null", "{\"a\":1,\"a\":2}", "{\"a\":-0}"})
    void arguments_that_are_no_object_are_made_one(String arguments) {
        for (Provider provider : Provider.values()) {
            RenderedRequest request = render(
                    provider, user("q"), assistant(ToolCallBlock.of("c1", "read", arguments)), result("c1", "r"));

            assertThat(rules(request)).contains("call.arguments@1");
            String expected = Blank.is(arguments)
                    ? "{}"
                    : JsonObject.builder().put("arguments", arguments).build().toText();
            String said = provider == Provider.ANTHROPIC
                    ? expected
                    : JsonString.of(expected).toText();
            assertThat(request.body().toText()).contains(said);
        }
    }

    @Test
    void tool_names_are_mapped_one_to_one_for_header_and_calls_alike_and_valid_ones_stay() {
        String taken = new Spellings(Alphabet.names(Provider.OPENAI), List.of("a b")).next("a b");
        RenderedRequest request = ProviderAssertions.sound(
                Provider.OPENAI,
                header("{\"config\":{\"provider\":\"o\",\"model\":\"m\"},\"tools\":[{\"name\":\"a b\"},{\"name\":\""
                        + taken + "\"},{\"name\":\"a_b\"}]}"),
                List.of(user("q"), assistant(ToolCallBlock.of("c1", "a b", "{}")), result("c1", "r")));

        assertThat(request.toolNames())
                .hasSize(3)
                .containsEntry("a_b", "a_b")
                .containsEntry(taken, taken)
                .containsValue("a b");
        String mapped = request.toolNames().entrySet().stream()
                .filter(entry -> entry.getValue().equals("a b"))
                .findFirst()
                .orElseThrow()
                .getKey();
        assertThat(request.body().toText().split("\"" + mapped + "\"", -1)).hasSize(3);
    }

    @Test
    void names_and_ids_keep_to_the_length_of_their_provider() {
        String name = "n".repeat(100);
        String id = "i".repeat(50);
        Message[] messages = {user("q"), assistant(ToolCallBlock.of(id, name, "{}")), result(id, "r")};

        assertThat(rules(render(Provider.ANTHROPIC, messages))).containsExactly("tools.stand-in@-1");
        assertThat(rules(render(Provider.OPENAI, messages))).containsExactly("name.mapped@-1", "call.id@1");
    }

    @Test
    void what_was_sent_before_is_sent_the_same_when_the_history_grows() {
        Message[] few = {user("q"), assistant(ToolCallBlock.of("c 1", "a b", "{}")), result("c 1", "r"), user("x")};
        Message[] more = {
            few[0], few[1], few[2], few[3], assistant(ToolCallBlock.of("c.1", "a.b", "{}")), result("c.1", "r")
        };

        assertThat(messages(render(Provider.ANTHROPIC, more)).items())
                .startsWith(messages(render(Provider.ANTHROPIC, few)).items().toArray(Json[]::new));
    }

    @Test
    void images_go_where_they_are_taken_and_become_a_note_elsewhere() {
        Message[] messages = {
            user(text("see"), PNG),
            assistant(call("c1")),
            Message.toolResult(ToolResultBlock.of("c1", List.of(PNG), false)),
            user("and?")
        };

        RenderedRequest openai = render(Provider.OPENAI, messages);
        assertThat(message(openai, 0).toString()).contains("\"url\":\"data:image/png;base64,iVBORw0KGgo=\"");
        assertThat(message(openai, 3).toString()).contains("user", "image_url");
        assertThat(rules(openai)).containsExactly("image.moved@2");
        RenderedRequest anthropic = render(Provider.ANTHROPIC, messages);
        assertThat(message(anthropic, 2).toString()).contains("\"media_type\":\"image/png\"");
        RenderedRequest deepseek = render(Provider.DEEPSEEK, messages);
        assertThat(deepseek.body().toText()).doesNotContain("iVBOR");
        assertThat(rules(deepseek)).containsExactly("image.as-text@0", "image.as-text@2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"{{tools}}\"",
                "null",
                "7",
                "{}",
                "[]",
                "[null]",
                "[{\"name\":\"\"}]",
                "[{\"name\":\"a\",\"parameters\":7},{\"name\":\"a\"}]",
                "[{\"type\":\"function\",\"function\":{\"name\":\"a\",\"parameters\":{\"type\":\"object\"}}}]",
                "[{\"name\":\"a\",\"input_schema\":{\"type\":\"object\",\"oneOf\":[]}}]"
            })
    void tools_may_be_anything(String tools) {
        for (Provider provider : Provider.values()) {
            Optional<io.surfacelog.event.RequestHeader> header =
                    header("{\"config\":{\"provider\":\"o\",\"model\":\"m\"},\"tools\":" + tools + "}");
            RenderedRequest request = ProviderAssertions.sound(provider, header, List.of(user("q")));

            assertThat(request.body().has("tools")).isEqualTo(tools.contains("\"a\""));
        }
    }

    @Test
    void what_a_header_asks_beyond_the_provider_is_changed_or_left_out() {
        RenderedRequest request = ProviderAssertions.sound(
                Provider.ANTHROPIC,
                header("{\"config\":{\"provider\":\"o\",\"model\":\"m\",\"temperature\":1.5,\"maxTokens\":0,"
                        + "\"stop\":[\" \",\"x\"],\"reasoningEffort\":\"high\"},\"system\":\" \"}"),
                List.of(user("q")));

        assertThat(request.body().get("temperature")).isEqualTo(Json.of(1));
        assertThat(request.body().get("max_tokens")).isEqualTo(Json.of(4096));
        assertThat(request.body().get("stop_sequences")).isEqualTo(json("[\"x\"]"));
        assertThat(request.body().has("system")).isFalse();
        assertThat(rules(request))
                .containsExactlyInAnyOrder(
                        "system.left-out@-1",
                        "config.changed@-1",
                        "config.left-out@-1",
                        "config.left-out@-1",
                        "config.left-out@-1",
                        "max-tokens.default@-1");
    }

    @Test
    void without_a_header_the_model_that_spoke_last_is_named() {
        RenderedRequest request =
                ProviderAssertions.sound(Provider.OPENAI, Optional.empty(), List.of(user("q"), assistant(text("a"))));

        assertThat(request.body().string("model")).contains("m-1");
        assertThat(rules(request)).containsExactly("model.unknown@-1");
    }

    @Test
    void blocks_that_are_not_known_are_told_as_text_where_a_user_has_them() {
        ContentBlock odd = ContentBlock.of((JsonObject) json("{\"type\":\"x\",\"n\":1}"));
        RenderedRequest request = render(Provider.OPENAI, user(odd), assistant(odd, text("a")));

        assertThat(lines(request)).containsExactly("user: {\"type\":\"x\",\"n\":1}", "assistant: a");
        assertThat(rules(request)).containsExactly("block.as-text@0", "block.left-out@1");
    }

    @Test
    void an_error_result_that_says_nothing_says_so() {
        RenderedRequest request = render(
                Provider.ANTHROPIC,
                user("q"),
                assistant(call("c1")),
                Message.toolResult(ToolResultBlock.of("c1", List.of(), true)));

        assertThat(request.body().toText()).contains(Call.NO_OUTPUT);
        assertThat(rules(request)).contains("result.empty@2");
    }
}
