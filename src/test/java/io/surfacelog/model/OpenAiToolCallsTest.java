package io.surfacelog.model;

import static io.surfacelog.model.OpenAiStreams.ask;
import static io.surfacelog.model.OpenAiStreams.content;
import static io.surfacelog.model.OpenAiStreams.delta;
import static io.surfacelog.model.OpenAiStreams.finish;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.testing.SharedFolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tool calls come in fragments, and endpoints disagree about what a fragment says of the call it belongs to. */
class OpenAiToolCallsTest {

    @Test
    void fragments_of_a_call_share_a_block_and_say_what_the_endpoint_said() throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.streaming(
                content("Let me look."),
                call(
                        "\"index\":0,\"id\":\"call_a\",\"type\":\"function\",\"function\":{\"name\":\"find\",\"arguments\":\"\"}"),
                call("\"index\":0,\"function\":{\"arguments\":\"{\\\"q\\\":\"}"),
                call("\"index\":0,\"id\":\"\",\"function\":{\"name\":null,\"arguments\":\"1}\"}"),
                content("Wait."),
                finish("tool_calls"))) {
            assertThat(ask(endpoint).chunks())
                    .containsExactly(
                            StreamChunk.text(0, "Let me look."),
                            StreamChunk.toolCall(1, "call_a", "find", ""),
                            StreamChunk.toolCall(1, "", null, "{\"q\":"),
                            StreamChunk.toolCall(1, "", null, "1}"),
                            StreamChunk.text(2, "Wait."),
                            FinishReason.TOOL_CALLS.chunk());
        }
    }

    @Test
    void calls_that_are_all_numbered_0_are_told_apart_by_a_new_id_with_a_name() throws Exception {
        assertThat(assembled(
                        call("\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}"),
                        call("\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"[]\"}")))
                .containsExactly("a f {}", "b g []");
    }

    @Test
    void a_continuation_under_an_id_of_its_own_belongs_to_the_call_of_its_index() throws Exception {
        assertThat(assembled(
                        call("\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}"),
                        call("\"index\":0,\"id\":\"a-2\",\"function\":{\"arguments\":\"}\"}")))
                .containsExactly("a f {}");
    }

    @Test
    void calls_with_neither_index_nor_id_begin_with_their_name() throws Exception {
        assertThat(assembled(
                        call("\"function\":{\"name\":\"f\",\"arguments\":\"{\"}"),
                        call("\"function\":{\"arguments\":\"}\"}"),
                        call("\"function\":{\"name\":\"f\",\"arguments\":\"[]\"}")))
                .containsExactly(" f {}", " f []");
    }

    @Test
    void arguments_that_come_as_json_are_told_as_its_text() throws Exception {
        assertThat(assembled(call("\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":{\"x\":1.50}}")))
                .containsExactly("a f {\"x\":1.50}");
    }

    @Test
    void a_fragment_that_says_nothing_is_a_call_without_a_name() throws Exception {
        assertThat(assembled(call(""))).containsExactly(" null ");
        assertThat(assembled(delta("\"tool_calls\":[null,7]"))).isEmpty();
    }

    @Test
    void names_that_the_request_had_to_change_come_back_as_they_were_recorded() {
        OpenAiChunks chunks = new OpenAiChunks(Map.of("find_order", "find order"));

        assertThat(chunks.read((JsonObject) Json.parse(
                        call("\"index\":3,\"id\":\"a\",\"function\":{\"name\":\"find_order\",\"arguments\":\"{}\"}"))))
                .containsExactly(StreamChunk.toolCall(0, "a", "find order", "{}"));
    }

    @Test
    void the_known_cases_come_out_right() throws Exception {
        JsonObject known = SharedFolder.json(SharedFolder.bugCases().resolve("B32.json"));
        int seen = 0;
        for (Json item : known.array("cases").orElseThrow().items()) {
            JsonObject bug = (JsonObject) item;
            String name = bug.string("name").orElseThrow();
            List<String> events = new ArrayList<>();
            bug.array("deltas").orElseThrow().items().forEach(raw -> events.add(call(fragment((JsonObject) raw))));
            List<String> found = assembled(events.toArray(String[]::new));
            if (bug.get("expect") instanceof JsonArray expected) {
                assertThat(found)
                        .as(name)
                        .containsExactlyElementsOf(expected.items().stream()
                                .map(call -> (JsonObject) call)
                                .map(call -> call.string("id").orElseThrow() + " "
                                        + call.string("name").orElseThrow() + " "
                                        + call.string("arguments").orElseThrow())
                                .toList());
            } else {
                // what becomes of a call without an id or an end is for whoever assembles the message
                assertThat(found).as(name).hasSize(1);
            }
            seen++;
        }
        assertThat(seen).isEqualTo(7);
    }

    @Test
    void a_stream_that_ends_inside_arguments_has_no_finish() throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.streaming(
                call("\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"q\\\":\\\"un\"}"))) {
            CollectingSink said = ask(endpoint);

            assertThat(said.toolCalls()).hasSize(1);
            assertThat(said.isFinished()).isFalse();
        }
    }

    private static String call(String members) {
        return delta("\"tool_calls\":[{" + members + "}]");
    }

    /** A fragment as an endpoint sends it: name and arguments stand in a function of their own. */
    private static String fragment(JsonObject raw) {
        JsonObject.Builder function = JsonObject.builder();
        Stream.of("name", "arguments").filter(raw::has).forEach(member -> function.put(member, raw.get(member)));
        JsonObject fragment = raw.without("name").without("arguments").with("function", function.build());
        String text = fragment.toText();
        return text.substring(1, text.length() - 1);
    }

    /** The calls as a reader that goes by the block index sees them: id, name, arguments. */
    private static List<String> assembled(String... events) throws Exception {
        Map<Long, String[]> calls = new LinkedHashMap<>();
        List<String> all = new ArrayList<>(List.of(events));
        all.add(finish("tool_calls"));
        try (BadEndpoint endpoint = BadEndpoint.streaming(all.toArray(String[]::new))) {
            for (StreamChunk.ToolCallDelta delta : ask(endpoint).toolCalls()) {
                String[] call = calls.computeIfAbsent(delta.index(), index -> new String[] {"", null, ""});
                call[0] = call[0].isEmpty() ? delta.id() : call[0];
                call[1] = call[1] == null ? delta.name().orElse(null) : call[1];
                call[2] += delta.argumentsDelta();
            }
        }
        return calls.values().stream().map(call -> String.join(" ", call)).toList();
    }
}
