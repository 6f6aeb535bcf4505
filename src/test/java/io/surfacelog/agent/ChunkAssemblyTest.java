package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.Usage;
import io.surfacelog.testing.SharedFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ChunkAssemblyTest {

    private static ChunkAssembly assembled(StreamChunk... chunks) {
        ChunkAssembly assembly = ChunkAssembly.create();
        Stream.of(chunks).forEach(assembly::add);
        return assembly;
    }

    private static StreamChunk chunk(String json) {
        return StreamChunk.of((JsonObject) Json.parse(json));
    }

    private static final StreamChunk STOP = StreamChunk.finish("stop");

    @Nested
    class Blocks {

        @Test
        void stand_in_the_order_in_which_they_first_appear_however_their_deltas_interleave() {
            ChunkAssembly assembly = assembled(
                    StreamChunk.reasoning(0, "Look "),
                    StreamChunk.toolCall(0, "a", "find", "{"),
                    StreamChunk.text(0, "One "),
                    StreamChunk.text(1, "Two "),
                    StreamChunk.reasoning(0, "first."),
                    StreamChunk.toolCall(0, "a", null, "}"),
                    StreamChunk.text(0, "moment."),
                    StreamChunk.text(1, "moments."),
                    STOP);

            assertThat(assembly.content())
                    .containsExactly(
                            ReasoningBlock.of("Look first."),
                            ToolCallBlock.of("a", "find", "{}"),
                            TextBlock.of("One moment."),
                            TextBlock.of("Two moments."));
        }

        @Test
        void are_what_their_end_says_whatever_the_deltas_said() {
            ContentBlock signed = ContentBlock.of(JsonObject.builder()
                    .put("type", "reasoning")
                    .put("text", "Whole")
                    .put("signature", "s")
                    .build());

            assertThat(assembled(StreamChunk.reasoning(0, "Who"), StreamChunk.blockEnd(0, signed))
                            .content())
                    .containsExactly(signed);
        }

        @Test
        void may_come_whole_and_without_deltas() {
            assertThat(assembled(StreamChunk.blockEnd(0, TextBlock.of("Whole")), STOP)
                            .content())
                    .containsExactly(TextBlock.of("Whole"));
        }

        @Test
        void of_kinds_that_only_their_end_tells_are_kept_in_their_place() {
            ContentBlock redacted = ContentBlock.of(JsonObject.builder()
                    .put("type", "redacted_reasoning")
                    .put("data", "x")
                    .build());

            assertThat(assembled(
                                    StreamChunk.blockStart(0, "reasoning"),
                                    StreamChunk.text(1, "Hello"),
                                    StreamChunk.blockEnd(0, redacted),
                                    STOP)
                            .content())
                    .containsExactly(redacted, TextBlock.of("Hello"));
        }

        @Test
        void begin_anew_when_an_index_comes_back_behind_an_end() {
            assertThat(assembled(
                                    StreamChunk.text(0, "One"),
                                    StreamChunk.blockEnd(0, TextBlock.of("One")),
                                    StreamChunk.text(0, "Two"),
                                    STOP)
                            .content())
                    .containsExactly(TextBlock.of("One"), TextBlock.of("Two"));
        }

        @Test
        void without_any_text_are_none() {
            assertThat(assembled(StreamChunk.blockStart(0, "text"), StreamChunk.text(0, ""), STOP)
                            .content())
                    .isEmpty();
        }

        @Test
        void of_a_broken_off_attempt_are_its_text_and_reasoning() {
            ChunkAssembly assembly = assembled(
                    StreamChunk.text(0, "Let me "),
                    StreamChunk.toolCall(0, "a", "find", "{}"),
                    StreamChunk.blockEnd(0, ToolCallBlock.of("a", "find", "{}")),
                    StreamChunk.reasoning(2, "hm"),
                    StreamChunk.text(0, "look"));

            assertThat(assembly.interruptedContent())
                    .containsExactly(TextBlock.of("Let me look"), ReasoningBlock.of("hm"));
            assertThat(assembly.hasVisibleText()).isTrue();
            assertThat(assembled(StreamChunk.reasoning(0, "hm"), StreamChunk.text(0, " \n"))
                            .hasVisibleText())
                    .isFalse();
        }
    }

    @Nested
    class ToolCalls {

        @Test
        void that_share_an_id_are_two_calls_and_the_second_gets_an_id_of_its_own() {
            List<ContentBlock> content = assembled(
                            StreamChunk.toolCall(0, "a", "find", "{}"),
                            StreamChunk.toolCall(1, "a", "find", "[]"),
                            StreamChunk.toolCall(2, "call_1", "find", "1"),
                            STOP)
                    .content();

            assertThat(content).hasSize(3);
            assertThat(content.stream()
                            .map(block -> ((ToolCallBlock) block).id())
                            .distinct())
                    .hasSize(3)
                    .contains("a", "call_1");
        }

        @Test
        void without_index_and_id_go_on_with_the_open_call_and_find_an_earlier_one_by_its_id() {
            assertThat(assembled(
                                    chunk("{\"type\":\"tool-call-delta\",\"id\":\"a\",\"name\":\"f\"}"),
                                    chunk("{\"type\":\"tool-call-delta\",\"argumentsDelta\":\"{\"}"),
                                    chunk(
                                            "{\"type\":\"tool-call-delta\",\"id\":\"b\",\"name\":\"g\",\"argumentsDelta\":\"[\"}"),
                                    chunk("{\"type\":\"tool-call-delta\",\"id\":\"a\",\"argumentsDelta\":\"}\"}"),
                                    chunk("{\"type\":\"tool-call-delta\",\"id\":\"b\",\"argumentsDelta\":\"]\"}"),
                                    STOP)
                            .content())
                    .containsExactly(ToolCallBlock.of("a", "f", "{}"), ToolCallBlock.of("b", "g", "[]"));
        }

        @Test
        void get_from_their_fragments_what_their_end_leaves_out() {
            ContentBlock bare = ContentBlock.of(JsonObject.builder()
                    .put("type", "tool-call")
                    .put("id", "")
                    .put("kept", true)
                    .build());

            assertThat(assembled(StreamChunk.toolCall(0, "a", "find", "{}"), StreamChunk.blockEnd(0, bare))
                            .content())
                    .containsExactly(ContentBlock.of(JsonObject.builder()
                            .put("type", "tool-call")
                            .put("id", "a")
                            .put("kept", true)
                            .put("name", "find")
                            .put("arguments", "{}")
                            .build()));
        }

        @Test
        void that_the_length_cut_off_are_left_out_and_those_that_ended_before_are_kept() {
            ChunkAssembly assembly = assembled(
                    StreamChunk.toolCall(0, "a", "find", "{}"),
                    StreamChunk.blockEnd(0, ToolCallBlock.of("a", "find", "{}")),
                    StreamChunk.toolCall(1, "b", "write", "{\"text\":\"lo"),
                    chunk("{\"type\":\"finish\",\"reason\":{\"kind\":\"max-tokens\"}}"));

            assertThat(assembly.content()).containsExactly(ToolCallBlock.of("a", "find", "{}"));
            assertThat(assembly.hasBrokenCall()).isTrue();
            assertThat(assembly.finishReason()).contains("max-tokens");
        }
    }

    @Test
    void tells_the_usage_reported_last_and_why_the_stream_ended() {
        ChunkAssembly assembly = assembled(
                StreamChunk.usage(Usage.of(1, 2)),
                chunk("{\"type\":\"finish\",\"reason\":\"stop\",\"replayState\":{\"at\":7}}"),
                StreamChunk.usage(Usage.of(3, 4)));

        assertThat(assembly.usage()).contains(Usage.of(3, 4));
        assertThat(assembly.isFinished()).isTrue();
        assertThat(assembly.finishReason()).contains("stop");
        assertThat(assembly.replayState()).isEqualTo(Json.parse("{\"at\":7}"));
        assertThat(ChunkAssembly.create().finishReason()).isEmpty();
    }

    @Test
    void takes_any_garbage_and_makes_nothing_of_it() {
        assertThat(assembled(
                                chunk("{}"),
                                chunk("{\"type\":\"text-delta\",\"text\":\"no index\"}"),
                                chunk("{\"type\":\"block-end\",\"index\":0}"),
                                chunk("{\"type\":\"usage\",\"usage\":{}}"),
                                chunk("{\"type\":7}"),
                                STOP)
                        .content())
                .isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> reported_streams_of_tool_calls() throws IOException {
        return SharedFolder.json(SharedFolder.bugCases().resolve("B32.json"))
                .array("cases")
                .orElseThrow()
                .items()
                .stream()
                .map(JsonObject.class::cast)
                .map(one -> DynamicTest.dynamicTest(one.string("name").orElseThrow(), () -> assembles(one)));
    }

    private static void assembles(JsonObject reported) {
        ChunkAssembly assembly = ChunkAssembly.create();
        for (Json delta : reported.array("deltas").orElseThrow().items()) {
            JsonObject.Builder chunk = JsonObject.builder().put("type", "tool-call-delta");
            ((JsonObject) delta)
                    .forEach((name, value) -> chunk.put(name.equals("arguments") ? "argumentsDelta" : name, value));
            assembly.add(StreamChunk.of(chunk.build()));
        }
        if (reported.get("expect") instanceof JsonArray expected) {
            assembly.add(STOP);
            assertThat(assembly.content())
                    .isEqualTo(expected.items().stream()
                            .map(JsonObject.class::cast)
                            .map(call -> ToolCallBlock.of(
                                    call.string("id").orElseThrow(),
                                    call.string("name").orElseThrow(),
                                    call.string("arguments").orElseThrow()))
                            .toList());
        } else if (((JsonString) reported.get("expect")).value().startsWith("refuse, or mint")) {
            assembly.add(STOP);
            assertThat(assembly.content()).singleElement().isInstanceOfSatisfying(ToolCallBlock.class, call -> {
                assertThat(call.id()).isNotEmpty();
                assertThat(call.name()).isEqualTo("f");
            });
            assertThat(assembly.content()).isEqualTo(assembly.content());
        } else {
            assertThat(assembly.content()).isEmpty();
            assertThat(assembly.interruptedContent()).isEmpty();
            assertThat(assembly.hasBrokenCall()).isTrue();
        }
    }

    @Test
    void text_that_is_cut_within_a_character_joins_again() throws IOException {
        JsonObject reported = SharedFolder.json(SharedFolder.bugCases().resolve("B33.json"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Json part : reported.array("chunks").orElseThrow().items()) {
            bytes.writeBytes(Base64.getDecoder().decode(((JsonString) part).value()));
        }
        String text = bytes.toString(StandardCharsets.UTF_8);
        ChunkAssembly assembly = ChunkAssembly.create();

        for (int i = 0; i < text.length(); i++) {
            assembly.add(
                    chunk(StreamChunk.text(0, text.substring(i, i + 1)).json().toText()));
        }

        assertThat(assembly.interruptedContent())
                .containsExactly(TextBlock.of(reported.string("expectText").orElseThrow()));
        assertThat(text).doesNotContain("\uFFFD");
    }
}
