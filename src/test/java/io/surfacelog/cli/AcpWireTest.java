package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines, good and bad. */
class AcpWireTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "garbage | null | -32700",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\" | null | -32700",
                "{} {} | null | -32700",
                "{\"jsonrpc\":\"2.0\",\"id\":-0,\"method\":\"initialize\"} | null | -32700",
                "[] | null | -32600",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}] | null | -32600",
                "7 | null | -32600",
                "{} | null | -32600",
                "{\"id\":1,\"method\":\"initialize\"} | 1 | -32600",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"initialize\"} | 1 | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"initialize\"} | null | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\"} | \"a\" | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1.50,\"method\":7} | 1.50 | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":[]} | 1 | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}} | 1 | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\",\"params\":{\"cwd\":\"/a\"}} | 1 | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nothing\"} | 1 | -32601",
            })
    void a_line_that_cannot_be_used_is_answered_and_the_next_one_is_heard(String line, String id, int code)
            throws Exception {
        try (AcpDesk desk = AcpDesk.of(ScriptedModel.of())) {
            desk.client.line(line);
            desk.client.initialize();

            JsonObject answer = desk.client.heard().get(0);
            assertThat(answer.get("id")).isEqualTo(Json.parse(id));
            assertThat(answer.object("error").orElseThrow().longValue("code")).hasValue(code);
            assertThat(desk.client.heard()).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "session/new | {} | expected a string cwd, found none",
                "session/new | {\"cwd\":\"here\"} | absolute",
                "session/new | {\"cwd\":7} | expected a string cwd, found 7",
                "session/load | {\"cwd\":\"/a\"} | expected a string sessionId, found none",
                "session/load | {\"sessionId\":\"s\",\"cwd\":\"a\"} | absolute",
                "session/load | {\"sessionId\":\"\",\"cwd\":\"/a\"} | expected a sessionId, found an empty one",
                "session/prompt | {\"sessionId\":\"SESSION\"} | expected an array prompt",
                "session/prompt | {\"sessionId\":\"SESSION\",\"prompt\":[]} | at least one block",
                "session/prompt | {\"sessionId\":\"SESSION\",\"prompt\":[7]} | prompt[0]: expected an object, found 7",
                "session/prompt | {\"sessionId\":\"SESSION\",\"prompt\":[{\"type\":\"audio\"}]} | found type \"audio\"",
                "session/prompt | {\"sessionId\":\"SESSION\",\"prompt\":[{\"type\":\"text\"}]} | expected a string text",
                "session/prompt | {\"sessionId\":\"SESSION\",\"prompt\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///a\",\"blob\":\"\"}}]} | expected a resource of text, found the bytes of file:///a",
            })
    void parameters_that_cannot_be_used_are_named(String method, String params, String sentence) throws Exception {
        try (AcpDesk desk = AcpDesk.initialized(ScriptedModel.of())) {
            String session = desk.client.newSession("/a");
            JsonObject given = (JsonObject) Json.parse(params.replace("SESSION", session));

            JsonObject error = desk.client.error(desk.client.send(method, given));

            assertThat(error.longValue("code")).hasValue(-32602);
            assertThat(error.string("message").orElseThrow())
                    .startsWith(method + ": ")
                    .contains(sentence);
            assertThat(desk.stack.queries.nextSeq(SessionId.of(session))).isZero();
        }
    }

    @Test
    void a_line_that_is_too_long_is_passed_over_and_the_next_one_is_heard() throws Exception {
        try (AcpDesk desk = AcpDesk.of(ScriptedModel.of())) {
            desk.client.line("x".repeat((1 << 20) + 1));
            desk.client.initialize();

            assertThat(desk.client.heard().get(0).toText()).contains("-32600", "at most 1048576 bytes");
        }
    }

    @Test
    void a_line_deeper_than_anybody_means_is_no_json() throws Exception {
        try (AcpDesk desk = AcpDesk.of(ScriptedModel.of())) {
            desk.client.line("[".repeat(600_000));
            desk.client.line("\\uD83D\\u0000");
            desk.client.initialize();

            assertThat(desk.client.heard().get(0).toText()).contains("-32700");
            assertThat(desk.client.heard()).hasSize(3);
        }
    }

    @Test
    void a_client_that_writes_the_type_of_a_block_twice_is_understood() throws Exception {
        ScriptedModel model = ScriptedModel.of(ScriptedAnswer.of("ok"));
        try (AcpDesk desk = AcpDesk.initialized(model)) {
            String session = desk.client.newSession("/a");
            desk.client.line("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/prompt\",\"params\":{\"sessionId\":\""
                    + session + "\",\"prompt\":[{\"type\":\"text\",\"type\":\"text\",\"text\":\"go\"}]}}");

            assertThat(desk.client.stopReason(1)).isEqualTo("end_turn");
            assertThat(model.calls().get(0).request().messages().get(0).text()).isEqualTo("go");
        }
    }

    @Test
    void lines_are_split_wherever_the_pipe_cuts_them_and_blank_ones_are_none() throws Exception {
        AcpInput in = new AcpInput(new ByteArrayInputStream("a\r\n\n \t\n12345\n123456\nlast".getBytes(UTF_8)), 5);
        List<String> lines = new ArrayList<>();
        int tooLong = 0;
        while (true) {
            try {
                byte[] line = in.next();
                if (line == null) {
                    break;
                }
                lines.add(new String(line, UTF_8));
            } catch (AcpInput.LineTooLongException e) {
                tooLong++;
            }
        }
        assertThat(lines).containsExactly("a\r", "12345", "last");
        assertThat(tooLong).isEqualTo(1);
    }

    @Test
    void half_a_character_waits_for_the_other_half_and_stays_out_of_the_wire_alone() throws Exception {
        ScriptedModel model = ScriptedModel.of(ScriptedAnswer.of("a\uD83D", "\uDE00b\uDE00", "c\uD83D"));
        try (AcpDesk desk = AcpDesk.initialized(model)) {
            String session = desk.client.newSession("/a");

            assertThat(desk.client.stopReason(desk.client.prompt(session, "go")))
                    .isEqualTo("end_turn");

            assertThat(desk.client.updates(session).stream()
                            .map(update -> AcpClient.said(List.of(update)))
                            .toList())
                    .containsExactly("a", "😀b\uFFFD", "c", "\uFFFD");
        }
    }

    @Test
    void what_answers_nothing_is_not_answered() throws Exception {
        try (AcpDesk desk = AcpDesk.of(ScriptedModel.of())) {
            desk.client.line("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}");
            desk.client.line("{\"jsonrpc\":\"2.0\",\"method\":\"$/progress\",\"params\":{}}");
            desk.client.line("{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"\"}}");
            desk.client.line("{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\"}");
            desk.client.initialize();

            assertThat(desk.client.heard()).hasSize(1);
        }
    }
}
