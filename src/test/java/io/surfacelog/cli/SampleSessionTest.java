package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionPrune;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.CompactionSummary;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.Closers;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The bundled sample: what it is made of, and that the file is what the generator makes. */
class SampleSessionTest {

    private static final Path FILE = Path.of("src/main/resources/io/surfacelog/cli/sample-session.jsonl");

    private static SessionHeader header;
    private static List<SessionEvent> log;

    @BeforeAll
    static void read() throws IOException {
        if (Boolean.getBoolean("sample.write")) {
            Files.write(FILE, SampleSession.file());
        }
        log = new ArrayList<>();
        SurfacePlanner planner = Surface.empty().planner(SurfaceRules.standard());
        try (JsonlReader reader = JsonlReader.open(FILE, EventLimits.defaults())) {
            header = reader.header();
            for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                line.events().forEach(candidate -> log.add(planner.fold(candidate)));
            }
            assertThat(reader.tail().isTorn()).isFalse();
        }
    }

    @Test
    void the_file_is_what_the_generator_makes() throws IOException {
        assertThat(Files.readString(FILE))
                .as("made anew with: mvn test -Dtest=SampleSessionTest -Dsample.write=true")
                .isEqualTo(new String(SampleSession.file(), StandardCharsets.UTF_8));
        assertThat(header).isEqualTo(SampleSession.header());
        assertThat(log).isEqualTo(SampleSession.events());
    }

    @Test
    void it_is_on_the_class_path_of_the_program() throws IOException {
        try (InputStream in = Surfacelog.class.getResourceAsStream("sample-session.jsonl")) {
            assertThat(Objects.requireNonNull(in).readAllBytes()).isEqualTo(Files.readAllBytes(FILE));
        }
    }

    @Test
    void it_is_admitted_without_a_finding_and_only_its_end_is_open() {
        Surface surface = Surface.empty().plan(log).after();

        assertThat(surface.findings()).isEmpty();
        assertThat(surface.hasOpenTurn()).isTrue();

        List<SessionEvent> closers = Closers.of(surface, LogReader.of(log), RecoverySettings.defaults());
        assertThat(closers)
                .extracting(SessionEvent::type)
                .containsExactly(EventType.TOOL_RESULT, EventType.TOOL_RESULT, EventType.STEP_END, EventType.TURN_END);
        assertThat(closers.subList(0, 2))
                .extracting(event ->
                        ((ToolResult) event.payload()).error().orElseThrow().code())
                .containsExactly("TOOL_OUTCOME_UNKNOWN", "TOOL_NOT_STARTED");

        Surface recovered = surface.plan(closers).after();
        assertThat(recovered.findings()).isEmpty();
        assertThat(recovered.hasOpenTurn()).isFalse();
    }

    @Test
    void the_command_check_accepts_it() {
        CommandRun run = CommandRun.of("check", FILE.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.answer().array("findings").orElseThrow().items()).isEmpty();
        assertThat(run.answer().array("closers").orElseThrow().items()).hasSize(4);
        assertThat(run.answer().array("replacements").orElseThrow().items()).hasSize(2);
    }

    @Test
    void it_holds_every_kind_of_event_it_should() {
        assertThat(log.stream().map(SessionEvent::type).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(
                        EventType.TURN_START,
                        EventType.TURN_END,
                        EventType.STEP_START,
                        EventType.STEP_END,
                        EventType.USER_MESSAGE,
                        EventType.CONTEXT_MESSAGE,
                        EventType.STEERING_MESSAGE,
                        EventType.ASSISTANT_CHUNK,
                        EventType.ASSISTANT_MESSAGE,
                        EventType.TOOL_CALL,
                        EventType.TOOL_RESULT,
                        EventType.TODO_WRITE,
                        EventType.REQUEST_HEADER,
                        EventType.REQUEST_CONTEXT,
                        EventType.COMPACTION_START,
                        EventType.COMPACTION_SUMMARY,
                        EventType.COMPACTION_PRUNE,
                        EventType.COMPACTION_END,
                        "session/title");
        assertThat(chunkTypes())
                .containsExactlyInAnyOrder(
                        "block-start",
                        "text-delta",
                        "reasoning-delta",
                        "tool-call-delta",
                        "block-end",
                        "usage",
                        "finish");
        assertThat(log)
                .filteredOn(event -> event.type().equals(EventType.TURN_START))
                .hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void its_chunks_are_packed_into_rows() throws IOException {
        List<String> lines = Files.readAllLines(FILE);

        assertThat(lines).hasSizeLessThan(log.size() * 3 / 4);
        for (String kind : List.of("text-chunks", "reasoning-chunks", "tool-call-chunks")) {
            assertThat(lines).anyMatch(line -> line.startsWith("{\"type\":\"" + kind + "\""));
        }
    }

    @Test
    void one_step_calls_two_tools_at_once_and_one_call_fails() {
        assertThat(payloads(AssistantMessage.class))
                .anyMatch(answer -> answer.message().content().stream()
                                .filter(ToolCallBlock.class::isInstance)
                                .count()
                        == 2);
        assertThat(payloads(ToolResult.class))
                .anyMatch(result -> result.block().isError() && result.error().isPresent());
    }

    @Test
    void one_compaction_cites_its_start_its_summary_and_all_it_hides() {
        long start = only(CompactionStart.class).seq();
        SessionEvent summary = only(CompactionSummary.class);
        SessionEvent replacing = log.get((int) summary.seq() + 1);

        assertThat(only(CompactionEnd.class).seq()).isEqualTo(replacing.seq() + 1);
        assertThat(replacing.payload())
                .isInstanceOfSatisfying(
                        UserMessage.class,
                        message -> assertThat(message.message().source().json().toText())
                                .isEqualTo(
                                        "{\"kind\":\"plugin\",\"plugin\":\"compact\",\"compactionId\":\"compaction-1\"}"));
        EventSeqs shadowed = ((CompactionSummary) summary.payload()).shadowed().seqs();
        assertThat(replacing.intent().orElseThrow().sources())
                .contains(shadowed.and(start).and(summary.seq()));
        assertThat(shadowed.size()).isGreaterThan(10);
    }

    @Test
    void one_tool_result_is_pruned_to_head_marker_and_tail() {
        SessionEvent prune = only(CompactionPrune.class);
        SessionEvent pruned = log.get((int) prune.seq() + 1);
        long whole = ((CompactionPrune) prune.payload()).shadowed().start();

        assertThat(pruned.intent().orElseThrow().op()).isEqualTo(SurfaceOp.replace(whole, whole));
        String before = text(log.get((int) whole));
        String after = text(pruned);
        assertThat(before).hasSizeGreaterThan(8_192);
        assertThat(after)
                .hasSizeLessThan(before.length())
                .startsWith(before.substring(0, 4_096))
                .endsWith(before.substring(before.length() - 1_024))
                .containsPattern("characters left out");
    }

    @Test
    void one_crash_was_recovered_with_the_text_that_had_been_streamed() {
        assertThat(payloads(AssistantMessage.class))
                .filteredOn(AssistantMessage::interrupted)
                .hasSize(1);
        assertThat(payloads(TurnEnd.class))
                .filteredOn(end -> end.reason().kind().equals(TurnEndReason.INTERRUPTED))
                .hasSize(1);
    }

    private static String text(SessionEvent event) {
        return ((TextBlock) ((ToolResult) event.payload()).block().content().get(0)).text();
    }

    private static Set<String> chunkTypes() {
        return log.stream()
                .filter(event -> event.type().equals(EventType.ASSISTANT_CHUNK))
                .map(event -> ((AssistantChunk) event.payload())
                        .chunk()
                        .json()
                        .string("type")
                        .orElseThrow())
                .collect(Collectors.toSet());
    }

    private static <P> List<P> payloads(Class<P> type) {
        return log.stream()
                .map(SessionEvent::payload)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private static SessionEvent only(Class<?> payload) {
        List<SessionEvent> found = log.stream()
                .filter(event -> payload.isInstance(event.payload()))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
