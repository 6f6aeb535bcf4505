package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckCommandTest {

    private static final String HEADER = "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1}";
    private static final String START = "{\"type\":\"turn/start\",\"seq\":0,\"time\":5,\"data\":{\"turn\":1}}";
    private static final String HELLO =
            "{\"type\":\"user/message\",\"seq\":1,\"time\":6,\"data\":{\"id\":\"m\",\"role\":"
                    + "\"user\",\"source\":{\"kind\":\"user\"},\"content\":[]},\"surfaceOp\":\"append\"}";
    private static final String UNMARKED = HELLO.replace(",\"surfaceOp\":\"append\"", "");

    @TempDir
    Path folder;

    private String file(String... lines) throws IOException {
        Path file = folder.resolve("log.jsonl");
        Files.writeString(file, String.join("\n", lines) + "\n");
        return file.toString();
    }

    private static CommandRun batch(String... cases) {
        return CommandRun.withInput(String.join("\n", cases), "check", "--batch", "-");
    }

    @Nested
    class An_answer {

        @Test
        void tells_all_that_a_log_comes_to_in_this_order() throws IOException {
            String file = file(HEADER, START, HELLO);

            CommandRun run = CommandRun.of("check", file);

            assertThat(run.exitCode()).isZero();
            assertThat(run.err()).isEmpty();
            assertThat(run.out())
                    .isEqualTo("{\"file\":" + JsonString.of(file) + ",\"ok\":true,\"events\":2,\"nodes\":[1],"
                            + "\"generation\":0,\"replacements\":[],\"messages\":[\"m\"],\"messageSeqs\":[1],"
                            + "\"requestHeader\":null,\"requestContext\":null,"
                            + "\"closers\":[{\"type\":\"turn/end\",\"seq\":2,\"time\":6,\"turn\":1,\"reason\":\"interrupted\"}],"
                            + "\"recovered\":{\"nodes\":[1],\"generation\":0,\"messageSeqs\":[1]},\"findings\":[],"
                            + "\"keptBytes\":" + Files.size(Path.of(file)) + ",\"tornBytes\":0}\n");
        }

        @Test
        void shows_replaces_the_request_and_findings() {
            String replace = "{\"type\":\"user/message\",\"seq\":2,\"time\":7,\"data\":{\"id\":\"n\",\"role\":\"user\","
                    + "\"source\":{\"kind\":\"user\"},\"content\":[]},\"surfaceOp\":{\"op\":\"replace\",\"start\":1,\"end\":1},"
                    + "\"sourceEventSeqs\":[1]}";
            String header = "{\"type\":\"request/header\",\"seq\":3,\"time\":7,\"data\":{\"header\":{\"config\":"
                    + "{\"provider\":\"p\",\"model\":\"m\"},\"system\":\"\",\"tools\":[],\"adapterDefaults\":{}},"
                    + "\"reason\":\"initial\"}}";
            String context = "{\"type\":\"request/context\",\"seq\":4,\"time\":7,\"data\":{\"window\":1.50}}";
            String step = "{\"type\":\"step/end\",\"seq\":5,\"time\":7,\"data\":{\"turn\":1,\"step\":1}}";

            JsonObject answer = batch("{\"id\":\"a\",\"log\":["
                            + String.join(",", START, HELLO, replace, header, context, step) + "]}")
                    .answer();

            assertThat(answer.get("id")).isEqualTo(JsonString.of("a"));
            assertThat(answer.get("replacements"))
                    .isEqualTo(Json.parse("[{\"seq\":2,\"start\":1,\"end\":1,\"shadowed\":[1]}]"));
            assertThat(answer.get("requestHeader"))
                    .isEqualTo(Json.parse("{\"config\":{\"provider\":\"p\",\"model\":\"m\"}}"));
            assertThat(answer.get("requestContext").toText()).isEqualTo("{\"window\":1.50}");
            assertThat(answer.array("findings").orElseThrow().items())
                    .extracting(
                            finding -> ((JsonObject) finding).get("rule"), finding -> ((JsonObject) finding).get("seq"))
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(JsonString.of("step.not-open"), Json.parse("5")));
        }

        @Test
        void to_a_refused_file_names_event_line_and_rule() throws IOException {
            CommandRun run = CommandRun.of("check", file(HEADER, START, UNMARKED));

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.answer().names()).containsExactly("file", "ok", "at", "line", "rule", "message");
            assertThat(run.answer().without("file").without("message"))
                    .isEqualTo(Json.parse("{\"ok\":false,\"at\":1,\"line\":3,\"rule\":\"surface.op-missing\"}"));
        }

        @Test
        void to_what_cannot_be_read_does_not_stop_the_run() throws IOException {
            String good = file(HEADER, START);
            String missing = folder.resolve("none.jsonl").toString();

            CommandRun run = CommandRun.of("check", missing, folder.toString(), good);

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).isEmpty();
            assertThat(run.answers()).extracting(answer -> answer.isTrue("ok")).containsExactly(false, false, true);
            assertThat(run.answers().get(0).string("rule")).contains("io");
            assertThat(run.answers().get(0).string("message")).contains("There is no file " + missing + ".");
            assertThat(run.answers().get(1).string("message").orElseThrow()).contains("it is a directory");
        }
    }

    @Nested
    class A_batch {

        @Test
        void is_answered_case_by_case_in_order_whatever_is_refused() {
            CommandRun run = batch(
                    "{\"id\":1,\"log\":[" + START + "]}",
                    "no json",
                    "",
                    "{\"id\":\"x\",\"log\":[null]}",
                    "{\"id\":\"y\"}",
                    "{\"id\":\"z\",\"note\":-0,\"log\":[]}");

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.answers())
                    .extracting(answer ->
                            answer.get("id") + " " + answer.string("rule").orElse("ok"))
                    .containsExactly(
                            "1 ok",
                            "null json.syntax",
                            "null json.syntax",
                            "\"x\" envelope",
                            "\"y\" json.syntax",
                            "\"z\" ok");
        }

        @Test
        void is_read_from_a_file_too() throws IOException {
            Path cases = Files.writeString(folder.resolve("cases"), "{\"id\":1,\"log\":[]}\n{\"id\":2,\"log\":[]}\n");

            CommandRun run = CommandRun.of("check", "--batch", cases.toString());

            assertThat(run.exitCode()).isZero();
            assertThat(run.answers())
                    .extracting(answer -> answer.get("id").toText())
                    .containsExactly("1", "2");
        }

        @Test
        void that_is_missing_is_a_refused_input() {
            CommandRun run =
                    CommandRun.of("check", "--batch", folder.resolve("none").toString());

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.answer().string("rule")).contains("io");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "-0|json.lossless|1",
                    "1e400|json.lossless|1",
                    "[{\"a\":-1e-400}]|json.lossless|1",
                    "{\"a\":1,\"a\":1}|json.syntax|-1"
                })
        void keeps_the_fault_of_each_value_with_its_event(String value, String rule, long at) {
            String event = "{\"type\":\"feedback/record\",\"seq\":1,\"time\":1,\"data\":" + value + "}";

            JsonObject answer =
                    batch("{\"id\":1,\"log\":[" + START + "," + event + "]}").answer();

            assertThat(answer.string("rule")).contains(rule);
            assertThat(answer.longValue("at").orElse(-1)).isEqualTo(at);
        }

        @Test
        void tells_the_first_refused_event_though_a_later_one_is_worse() {
            String event = "{\"type\":\"feedback/record\",\"seq\":1,\"time\":1,\"data\":{\"a\":1,\"a\":-0}}";

            JsonObject answer = batch(
                            "{\"id\":1,\"log\":[" + UNMARKED.replace("\"seq\":1", "\"seq\":0") + "," + event + "]}")
                    .answer();

            assertThat(answer.string("rule")).contains("surface.op-missing");
            assertThat(answer.longValue("at")).hasValue(0);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"version\":0,\"id\":\"s\",\"createdAt\":1}|ok",
                    "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1}|ok",
                    "{\"version\":0,\"id\":\"t\",\"createdAt\":1}|head.id",
                    "{\"version\":0,\"id\":\"s\",\"createdAt\":-0}|json.lossless",
                    "{\"version\":2,\"id\":\"s\",\"createdAt\":-0}|head.version",
                    "{\"version\":0,\"id\":\"s\",\"createdAt\":1,\"createdAt\":1}|json.syntax",
                    "null|head.record",
                    "[]|head.record",
                })
        void may_say_header_and_session_id_of_a_case(String header, String verdict) {
            JsonObject answer = batch("{\"id\":1,\"sessionId\":\"s\",\"header\":" + header + ",\"log\":[]}")
                    .answer();

            assertThat(answer.string("rule").orElse("ok")).isEqualTo(verdict);
            assertThat(answer.has("at")).isFalse();
        }

        @Test
        void takes_any_id_of_a_header_where_no_session_id_is_said() {
            assertThat(batch("{\"id\":1,\"header\":{\"version\":0,\"id\":\"any\",\"createdAt\":1},\"log\":[]}")
                            .exitCode())
                    .isZero();
            assertThat(batch("{\"id\":1,\"header\":{\"version\":0,\"id\":\"\",\"createdAt\":1},\"log\":[]}")
                            .answer()
                            .string("rule"))
                    .contains("head.id");
        }

        @Test
        void of_malformed_bytes_is_no_json() {
            byte[] line = {'{', '"', 'i', 'd', '"', ':', '"', (byte) 0xff, '"', '}'};

            CommandRun run = CommandRun.withInput(line, "check", "--batch", "-");

            assertThat(run.answer().string("rule")).contains("json.syntax");
        }

        @Test
        void counts_depth_from_the_event_and_not_from_the_line() {
            String data = "[".repeat(1_999) + "]".repeat(1_999);
            String event = "{\"type\":\"feedback/record\",\"seq\":0,\"time\":1,\"data\":%s}";

            assertThat(batch("{\"id\":1,\"log\":[" + event.formatted(data) + "]}")
                            .exitCode())
                    .isZero();
            JsonObject deeper = batch("{\"id\":1,\"log\":[" + event.formatted("[" + data + "]") + "]}")
                    .answer();
            assertThat(deeper.string("rule")).contains("limit.depth");
            assertThat(deeper.longValue("at")).hasValue(0);
        }

        @Test
        void of_ten_thousand_cases_gets_ten_thousand_answers() {
            String cases = IntStream.range(0, 10_000)
                    .mapToObj(i -> "{\"id\":" + i + ",\"log\":[" + START + "," + HELLO + "]}")
                    .collect(Collectors.joining("\n"));

            CommandRun run = batch(cases);

            assertThat(run.exitCode()).isZero();
            assertThat(run.out().lines()).hasSize(10_000);
        }
    }

    @Nested
    class An_option {

        private final String unknown = "{\"type\":\"vendor/thing\",\"seq\":0,\"time\":1,\"data\":{}}";

        @Test
        void keeps_unknown_types() throws IOException {
            String file = file(HEADER, unknown);

            assertThat(CommandRun.of("check", file).answer().string("rule")).contains("type.undeclared");
            assertThat(CommandRun.of("check", "--keep-unknown", file).exitCode())
                    .isZero();
        }

        @Test
        void keeps_no_retired_type_and_no_unknown_one_on_the_surface() {
            CommandRun run = CommandRun.withInput(
                    "{\"id\":1,\"log\":[" + unknown.replace("vendor/thing", "mode/set") + "]}\n{\"id\":2,\"log\":["
                            + unknown.replace("{}}", "{},\"surfaceOp\":\"append\"}") + "]}",
                    "check",
                    "--keep-unknown",
                    "--batch",
                    "-");

            assertThat(run.answers())
                    .extracting(answer -> answer.string("rule").orElseThrow())
                    .containsExactly("legacy.mode-set", "surface.op-not-allowed");
        }

        @Test
        void stamps_markers_on_a_log_without_any() throws IOException {
            String file = file(HEADER, START, UNMARKED);

            assertThat(CommandRun.of("check", "--stamp-markers", file).answer().get("nodes"))
                    .isEqualTo(Json.parse("[1]"));
            String some = file(HEADER, START, UNMARKED, HELLO.replace("\"seq\":1", "\"seq\":2"));
            assertThat(CommandRun.of("check", "--stamp-markers", some).answer().string("rule"))
                    .contains("surface.op-missing");
        }

        @Test
        void enforces_the_structure_rules_or_leaves_them_out() throws IOException {
            String end =
                    "{\"type\":\"turn/end\",\"seq\":1,\"time\":1,\"data\":{\"turn\":2,\"reason\":{\"kind\":\"completed\"}}}";
            String file = file(HEADER, START, end);

            JsonObject enforced =
                    CommandRun.of("check", "--structure", "enforce", file).answer();
            assertThat(enforced.string("rule")).contains("turn.end-mismatch");
            assertThat(enforced.longValue("at")).hasValue(1);
            assertThat(enforced.longValue("line")).hasValue(3);
            assertThat(CommandRun.of("check", file)
                            .answer()
                            .array("findings")
                            .orElseThrow()
                            .size())
                    .isEqualTo(1);
            assertThat(CommandRun.of("check", "--structure=off", file).answer().get("findings"))
                    .isEqualTo(Json.parse("[]"));
        }

        @Test
        void leaves_calls_of_closed_steps_unanswered() throws IOException {
            List<String> log = List.of(
                    HEADER,
                    START,
                    "{\"type\":\"step/start\",\"seq\":1,\"time\":1,\"data\":{\"turn\":1,\"step\":1}}",
                    "{\"type\":\"assistant/message\",\"seq\":2,\"time\":1,\"data\":{\"turn\":1,\"step\":1,\"message\":{\"id\":\"a\","
                            + "\"role\":\"assistant\",\"source\":{\"kind\":\"model\",\"provider\":\"p\",\"model\":\"m\"},\"content\":["
                            + "{\"type\":\"tool-call\",\"id\":\"k\",\"name\":\"n\",\"arguments\":\"{}\"}]}},\"surfaceOp\":\"append\"}",
                    "{\"type\":\"step/end\",\"seq\":3,\"time\":1,\"data\":{\"turn\":1,\"step\":1}}",
                    "{\"type\":\"turn/end\",\"seq\":4,\"time\":1,\"data\":{\"turn\":1,\"reason\":{\"kind\":\"completed\"}}}");
            String file = file(log.toArray(String[]::new));

            JsonObject answer = CommandRun.of("check", file).answer();
            assertThat(answer.get("closers"))
                    .isEqualTo(
                            Json.parse(
                                    "[{\"type\":\"tool/result\",\"seq\":5,\"time\":1,\"turn\":1,\"step\":1,"
                                            + "\"callId\":\"k\",\"isError\":true,\"code\":\"TOOL_NOT_STARTED\",\"surfaceOp\":\"append\"}]"));
            assertThat(answer.object("recovered").orElseThrow().get("nodes")).isEqualTo(Json.parse("[2,5]"));
            assertThat(CommandRun.of("check", "--no-orphan-answers", file)
                            .answer()
                            .get("closers"))
                    .isEqualTo(Json.parse("[]"));
        }
    }

    @Nested
    class Wrong_usage {

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "check",
                    "check --batch - x.jsonl",
                    "check --structure strict x.jsonl",
                    "check --nonsense",
                    "check --batch",
                    "check --batch - --stamp-markers",
                    "chek x.jsonl"
                })
        void is_told_in_one_sentence_on_standard_error(String commandLine) {
            CommandRun run = CommandRun.of(commandLine.split(" ", -1));

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err()).contains("--help").doesNotContain("Exception");
        }

        @Test
        void shows_a_stack_trace_only_when_asked() {
            assertThat(CommandRun.of("check", "--debug").err()).contains("\tat ");
        }
    }

    @Test
    void help_and_version_come_from_the_command_too() {
        assertThat(CommandRun.of("check", "--help").out()).contains("--no-salvage-text", "--stamp-markers");
        assertThat(CommandRun.of("--help").out()).contains("check");
        assertThat(CommandRun.of("check", "--version").out()).startsWith("surfacelog ");
    }

    @Test
    void every_answer_is_one_line_with_lone_surrogates_escaped() {
        CommandRun run = batch("{\"id\":\"\\ud83d \u2028 \\n é\",\"log\":[]}");

        assertThat(run.out().indexOf('\n')).isEqualTo(run.out().length() - 1);
        assertThat(run.out()).startsWith("{\"id\":\"\\ud83d \u2028 \\n é\",");
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(run.out())).isTrue();
    }
}
