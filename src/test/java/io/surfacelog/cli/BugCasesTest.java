package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.testing.SharedFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults that others have reported, as far as a check of a log can see them. The right values stand here. */
class BugCasesTest {

    private Path cases;

    @BeforeEach
    void find_the_cases() {
        cases = SharedFolder.bugCases();
    }

    private CommandRun check(String name, String... options) {
        String[] args = new String[options.length + 2];
        args[0] = "check";
        System.arraycopy(options, 0, args, 1, options.length);
        args[args.length - 1] = cases.resolve(name + ".jsonl").toString();
        return CommandRun.of(args);
    }

    private static String words(JsonObject answer, String list) {
        return answer.array(list).orElseThrow().items().stream()
                .map(item -> ((JsonObject) item).get(list.equals("closers") ? "type" : "rule"))
                .map(word -> ((io.surfacelog.event.JsonString) word).value())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest(name = "{0}: {3} at event {1}, line {2}")
    @CsvSource({
        // two recovery writers; a counter that begins again; a gap
        "B01,   8, 10, seq.contiguous",
        "B03,   6,  8, seq.contiguous",
        "B04,   4,  6, seq.contiguous",
        // an event that a plug-in wrote
        "B06,   8, 10, type.undeclared",
        // dialects of replace
        "B09a,  6,  8, surface.op-bad-replace",
        "B09b,  6,  8, surface.op-bad-replace",
        "B09c,  6,  8, surface.op-bad-replace",
        "B09d,  6,  8, surface.op-bad-replace",
        // numbers that JSON would lose
        "B29a,  1,  3, json.lossless",
        "B29b,  1,  3, json.lossless",
        // a row over events that are stored
        "B35,   4,  6, seq.contiguous",
        // rewriting more of a tool result than its content
        "B45b,  6,  8, rewrite.content-only",
        "B45c,  6,  8, rewrite.content-only",
        "B45d,  6,  8, rewrite.one-node",
        "B45e,  6,  8, sources.missing-shadowed",
        // sources and markers
        "B46a,  3,  5, sources.empty",
        "B46c,  3,  5, sources.duplicate",
        "B46d,  3,  5, sources.not-earlier",
        "B46e,  3,  5, sources.not-earlier",
        "B46f,  3,  5, sources.bad-seq",
        "B46h,  2,  4, surface.op-missing",
        "B46i,  0,  2, surface.op-not-allowed",
    })
    void is_refused_at_its_place(String name, long at, long line, String rule) {
        CommandRun run = check(name);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.answer().string("rule")).contains(rule);
        assertThat(run.answer().longValue("at")).hasValue(at);
        assertThat(run.answer().longValue("line")).hasValue(line);
    }

    @ParameterizedTest(name = "{0}: {1} events, surface {2}, recovered {3}, closed by {4}, findings {5}")
    @CsvSource({
        // a compaction that a crash left open hides nothing
        "B10,  19, '[17,11,12]',    '[17,11,12]',    '', bracket.second-compaction",
        // a summary that cuts a call from its result
        "B12,  15, '[11,5,10,12]',  '[11,5,10,12]',  '', pair.split-by-replace",
        // crashes: after a call, with several calls, in mid-stream, in mid-write
        "B14,  5,  '[2,3]',         '[2,3,5]',       'tool/result step/end turn/end', ''",
        "B15,  7,  '[2,3,5]',       '[2,3,5,7,8]',   'tool/result tool/result step/end turn/end', ''",
        "B19,  7,  '[2]',           '[2]',           'step/end turn/end', ''",
        "B21,  4,  '[2,3]',         '[2,3]',         'step/end turn/end', ''",
        "B23,  3,  '[2]',           '[2]',           'step/end turn/end', ''",
        "B36,  15, '[2,14]',        '[2,14,15]',     'tool/result step/end turn/end', ''",
        // an empty assistant message, CRLF, Unicode line ends, NUL
        "B18,  12, '[2,3,8,9]',     '[2,3,8,9]',     '', ''",
        "B25,  8,  '[2,3,5]',       '[2,3,5]',       '', ''",
        "B25b, 6,  '[2,3]',         '[2,3]',         '', ''",
        "B28,  8,  '[2,3,5]',       '[2,3,5]',       '', ''",
        // a sound rewrite, and a user message in the place of a result
        "B45a, 10, '[2,3,7]',       '[2,3,7]',       '', ''",
        "B45f, 9,  '[2,3,6]',       '[2,3,6]',       '', pair.split-by-replace",
        "B46b, 6,  '[2,3]',         '[2,3]',         '', ''",
        "B46g, 6,  '[2,3]',         '[2,3]',         '', ''",
        // members the format does not name, compactions of which one failed
        "B49,  11, '[4,8]',         '[4,8]',         '', ''",
        "B52,  16, '[2,3,5,10,11]', '[2,3,5,10,11]', '', ''",
    })
    void is_accepted_with_its_surface(
            String name, long events, String nodes, String recovered, String closers, String findings) {
        CommandRun run = check(name, "--no-salvage-text", "--no-orphan-answers");

        JsonObject answer = run.answer();
        assertThat(run.exitCode()).as(run.out()).isZero();
        assertThat(answer.longValue("events")).hasValue(events);
        assertThat(answer.get("nodes")).isEqualTo(Json.parse(nodes));
        assertThat(answer.object("recovered").orElseThrow().get("nodes")).isEqualTo(Json.parse(recovered));
        assertThat(words(answer, "closers")).isEqualTo(closers);
        assertThat(words(answer, "findings")).isEqualTo(findings);
    }

    @Test
    void B04_a_gap_is_refused_naming_what_is_missing() {
        assertThat(check("B04").answer().string("message").orElseThrow()).contains("4", "5", "missing");
    }

    @Test
    void B06_an_unknown_event_is_named_and_kept_on_request() {
        assertThat(check("B06").answer().string("message").orElseThrow()).contains("vendor-cost/usage");
        assertThat(check("B06", "--keep-unknown").answer().get("nodes")).isEqualTo(Json.parse("[2,3,5]"));
    }

    @Test
    void B08_a_newer_version_is_told_as_newer_and_the_file_is_left_alone() throws Exception {
        byte[] before = Files.readAllBytes(cases.resolve("B08.jsonl"));

        JsonObject answer = check("B08").answer();

        assertThat(answer.string("rule")).contains("head.version");
        assertThat(answer.has("at")).isFalse();
        assertThat(answer.longValue("line")).hasValue(1);
        assertThat(answer.string("message").orElseThrow())
                .contains("3", "newer")
                .doesNotContain("corrupt");
        assertThat(Files.readAllBytes(cases.resolve("B08.jsonl"))).isEqualTo(before);
    }

    @Test
    void B14_a_started_call_is_closed_as_unknown_citing_its_start() {
        JsonObject closer = (JsonObject)
                check("B14").answer().array("closers").orElseThrow().get(0);

        assertThat(closer)
                .isEqualTo(
                        Json.parse("{\"type\":\"tool/result\",\"seq\":5,\"time\":1790000000050,\"turn\":1,\"step\":1,"
                                + "\"callId\":\"c1\",\"isError\":true,\"code\":\"TOOL_OUTCOME_UNKNOWN\",\"surfaceOp\":\"append\","
                                + "\"sourceEventSeqs\":[4]}"));
    }

    @Test
    void B15_every_call_of_the_step_gets_one_result_in_the_order_of_the_blocks() {
        List<Json> closers =
                check("B15").answer().array("closers").orElseThrow().items();

        assertThat(closers.get(0).toText())
                .contains("\"seq\":7,", "\"callId\":\"c2\"", "TOOL_OUTCOME_UNKNOWN", "\"sourceEventSeqs\":[6]");
        assertThat(closers.get(1).toText())
                .contains("\"seq\":8,", "\"callId\":\"c3\"", "TOOL_NOT_STARTED")
                .doesNotContain("sourceEventSeqs");
    }

    @Test
    void B18_an_empty_assistant_message_is_a_node_without_a_message() {
        assertThat(check("B18").answer().get("messageSeqs")).isEqualTo(Json.parse("[2,8,9]"));
    }

    @Test
    void B19_text_that_was_streamed_is_recovered_unless_told_not_to() {
        JsonObject answer = check("B19").answer();

        assertThat(words(answer, "closers")).isEqualTo("assistant/message step/end turn/end");
        assertThat(answer.array("closers").orElseThrow().get(0).toText()).contains("\"sourceEventSeqs\":[4,5,6]");
        assertThat(answer.object("recovered").orElseThrow().get("messageSeqs")).isEqualTo(Json.parse("[2,7]"));
    }

    @ParameterizedTest
    @CsvSource({"B14, 860, 0", "B21, 670, 64", "B23, 427, 222", "B25, 1348, 0"})
    void a_torn_tail_is_told_to_the_byte(String name, long kept, long torn) {
        assertThat(check(name).answer().longValue("keptBytes")).hasValue(kept);
        assertThat(check(name).answer().longValue("tornBytes")).hasValue(torn);
    }

    @Test
    void B26_a_blank_line_is_no_event() {
        JsonObject answer = check("B26").answer();

        assertThat(answer.string("rule")).contains("json.syntax");
        assertThat(answer.longValue("line")).hasValue(4);
        assertThat(answer.has("at")).isFalse();
    }

    @Test
    void B29_the_other_numbers_come_back_digit_for_digit_and_a_large_exponent_costs_nothing(@TempDir Path folder)
            throws Exception {
        String text = Files.readString(cases.resolve("B29a.jsonl")).replaceAll("\"neg\":-0,?", "");
        Path file = Files.writeString(folder.resolve("others.jsonl"), text);

        assertThat(CommandRun.of("check", file.toString()).answer().isTrue("ok"))
                .isTrue();
        String event =
                "{\"type\":\"request/context\",\"seq\":0,\"time\":0,\"data\":{\"big\":9007199254740993,\"dec\":1.10,"
                        + "\"exp\":1E2,\"small\":1e-2000000000}}";
        CommandRun run = CommandRun.withInput("{\"id\":1,\"log\":[" + event + "]}", "check", "--batch", "-");
        assertThat(run.out())
                .contains(
                        "\"requestContext\":{\"big\":9007199254740993,\"dec\":1.10,\"exp\":1E2,\"small\":1e-2000000000}");
    }
}
