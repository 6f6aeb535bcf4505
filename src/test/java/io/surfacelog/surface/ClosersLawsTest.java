package io.surfacelog.surface;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Message;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** What must hold of the closers of every log, cut anywhere. */
class ClosersLawsTest {

    static final List<RecoverySettings> ALL_SETTINGS = List.of(
            new RecoverySettings(false, false),
            new RecoverySettings(false, true),
            new RecoverySettings(true, false),
            new RecoverySettings(true, true));
    private static final RecoverySettings PLAIN = ALL_SETTINGS.get(0);
    private static final RecoverySettings DEFAULTS = RecoverySettings.defaults();

    /** A log cut at some place, and what recovery adds to it. */
    private record Recovery(List<SessionEvent> log, Surface surface, RecoverySettings settings) {

        List<SessionEvent> closers() {
            return Closers.of(surface, LogReader.of(log), settings);
        }

        List<SessionEvent> recovered() {
            List<SessionEvent> all = new ArrayList<>(log);
            all.addAll(closers());
            return all;
        }
    }

    private static void forEachCut(int seeds, List<RecoverySettings> settings, BiConsumer<Recovery, Boolean> law) {
        Seeds.forEach(seeds, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            Surface surface = Surface.empty();
            for (int cut = 0; cut <= log.size(); cut++) {
                for (RecoverySettings each : settings) {
                    try {
                        law.accept(new Recovery(log.subList(0, cut), surface, each), seed % 2 == 0);
                    } catch (AssertionError | RuntimeException e) {
                        throw new AssertionError("cut at " + cut + " with " + each + ": " + e.getMessage(), e);
                    }
                }
                surface = cut == log.size()
                        ? surface
                        : surface.plan(List.of(log.get(cut))).after();
            }
        });
    }

    @Test
    void closers_are_the_same_each_time_and_carry_the_last_events_time_and_the_next_seqs() {
        forEachCut(100, ALL_SETTINGS, (recovery, structured) -> {
            List<SessionEvent> closers = recovery.closers();
            assertThat(recovery.closers()).isEqualTo(closers);
            for (int i = 0; i < closers.size(); i++) {
                assertThat(closers.get(i).seq()).isEqualTo(recovery.log().size() + i);
                assertThat(closers.get(i).time())
                        .isEqualTo(recovery.log().get(recovery.log().size() - 1).time());
            }
        });
    }

    @Test
    void closers_are_admitted_and_leave_no_open_turn() {
        forEachCut(100, ALL_SETTINGS, (recovery, structured) -> {
            SurfaceChange change = recovery.surface().plan(recovery.closers());
            assertThat(change.after().hasOpenTurn()).isFalse();
            assertThat(change.after().generation()).isEqualTo(recovery.surface().generation());
        });
    }

    @Test
    void a_second_recovery_adds_nothing() {
        forEachCut(100, ALL_SETTINGS, (recovery, structured) -> {
            List<SessionEvent> recovered = recovery.recovered();
            Surface after = recovery.surface().plan(recovery.closers()).after();
            for (RecoverySettings second : ALL_SETTINGS) {
                if (recovery.settings().answerOrphanedCalls() || !second.answerOrphanedCalls()) {
                    assertThat(Closers.of(after, LogReader.of(recovered), second))
                            .as("second recovery with %s", second)
                            .isEmpty();
                }
            }
        });
    }

    @Test
    void without_the_extra_switches_closers_are_what_the_tail_of_the_log_says() {
        forEachCut(
                200,
                List.of(PLAIN),
                (recovery, structured) -> assertThat(recovery.closers().stream()
                                .map(NaiveClosers.Closer::of)
                                .toList())
                        .isEqualTo(NaiveClosers.of(recovery.log())));
    }

    @Test
    void after_recovery_every_call_on_the_surface_has_its_result() {
        forEachCut(120, List.of(DEFAULTS), (recovery, structured) -> {
            List<SessionEvent> recovered = recovery.recovered();
            Map<CallKey, Integer> results = new HashMap<>();
            for (SessionEvent event : recovered) {
                if (event.payload() instanceof ToolResult
                        && event.intent().orElseThrow().isAppend()) {
                    results.merge(CallKey.answered(event), 1, Integer::sum);
                }
            }
            Map<CallKey, Integer> visible = new HashMap<>();
            Surface after = recovery.surface().plan(recovery.closers()).after();
            after.nodes()
                    .forEach(node -> CallKey.calls(node.event()).stream()
                            .filter(call -> !call.callId().isEmpty())
                            .forEach(call -> visible.merge(call, 1, Integer::sum)));
            visible.forEach((call, times) -> assertThat(results.getOrDefault(call, 0))
                    .as("results of %s", call)
                    .isGreaterThanOrEqualTo(times));
        });
    }

    @Test
    void a_structured_log_stays_well_formed_and_each_of_its_calls_has_one_result() {
        forEachCut(120, ALL_SETTINGS, (recovery, structured) -> {
            if (!structured) {
                return;
            }
            SurfaceChange change = recovery.surface().plan(recovery.closers());
            assertThat(change.findings()).isEmpty();
            Map<CallKey, Integer> balance = new HashMap<>();
            for (SessionEvent event : recovery.recovered()) {
                if (!event.isSurface() || !event.intent().orElseThrow().isAppend()) {
                    continue;
                }
                CallKey.calls(event).forEach(call -> balance.merge(call, 1, Integer::sum));
                if (event.type().equals(EventType.TOOL_RESULT)) {
                    balance.merge(CallKey.answered(event), -1, Integer::sum);
                }
            }
            assertThat(balance.values()).allMatch(open -> open == 0);
        });
    }

    @Test
    void a_recovered_session_goes_on_as_if_nothing_had_happened() {
        Seeds.forEach(200, seed -> {
            SessionGenerator generator = SessionGenerator.structured(seed);
            List<SessionEvent> log = new ArrayList<>(generator.log(30));
            Surface surface = Surface.empty().plan(log).after();
            for (int crash = 0; crash < 3; crash++) {
                List<SessionEvent> closers = Closers.of(surface, LogReader.of(log), DEFAULTS);
                closers.forEach(generator::observe);
                log.addAll(closers);
                surface = surface.plan(closers).after();
                for (int i = 0; i < 20; i++) {
                    SessionEvent event = generator.next(surface);
                    log.add(event);
                    surface = surface.plan(List.of(event)).after();
                }
            }
            assertThat(surface.findings()).isEmpty();
            assertThat(Views.of(surface))
                    .isEqualTo(Views.of(Surface.empty().plan(log).after()));
        });
    }

    @Test
    void what_is_salvaged_is_the_text_of_the_chunks_it_cites_and_nothing_else() {
        int[] salvaged = new int[1];
        forEachCut(200, List.of(DEFAULTS), (recovery, structured) -> {
            for (SessionEvent closer : recovery.closers()) {
                if (closer.payload() instanceof AssistantMessage message) {
                    salvaged[0]++;
                    assertSalvaged(recovery.log(), closer, message);
                }
            }
        });
        assertThat(salvaged[0]).as("salvaged messages").isGreaterThan(100);
    }

    private static void assertSalvaged(List<SessionEvent> log, SessionEvent closer, AssistantMessage message) {
        assertThat(message.interrupted()).isTrue();
        Map<String, StringBuilder> parts = new HashMap<>();
        closer.intent().orElseThrow().sources().orElseThrow().forEach(seq -> {
            SessionEvent cited = log.get(Math.toIntExact(seq));
            AssistantChunk chunk = (AssistantChunk) cited.payload();
            assertThat(chunk.turn()).isEqualTo(message.turn().orElseThrow());
            assertThat(chunk.step()).isEqualTo(message.step().orElseThrow());
            String text = text(chunk.chunk(), parts);
            assertThat(text).as("what %s gives", cited).isNotEmpty();
        });
        long begins = lastAttemptBegins(log);
        assertThat(closer.intent().orElseThrow().sourcesOrNone().stream().boxed())
                .containsAll(deltasOfLastAttempt(log, message))
                .allMatch(seq -> seq > begins);
        List<String> pieces = new ArrayList<>();
        for (ContentBlock block : message.message().content()) {
            assertThat(block).isInstanceOfAny(TextBlock.class, ReasoningBlock.class);
            pieces.add(
                    block instanceof TextBlock text
                            ? "text " + text.text()
                            : "reasoning " + ((ReasoningBlock) block).text());
        }
        assertThat(pieces)
                .containsExactlyInAnyOrderElementsOf(parts.entrySet().stream()
                        .map(part -> part.getKey().substring(0, part.getKey().indexOf('#')) + " " + part.getValue())
                        .toList());
        assertThat(pieces)
                .anyMatch(piece ->
                        piece.startsWith("text ") && !piece.substring(5).isBlank());
    }

    private static long lastAttemptBegins(List<SessionEvent> log) {
        for (int seq = log.size() - 1; seq > 0; seq--) {
            SessionEvent event = log.get(seq);
            boolean ends = switch (event.type()) {
                case EventType.STEP_START, EventType.LLM_RETRY -> true;
                case EventType.ASSISTANT_MESSAGE -> event.intent().orElseThrow().isAppend();
                default -> false;
            };
            if (ends) {
                return seq;
            }
        }
        return 0;
    }

    /** The deltas with some text behind the last finish, retry, message or start of the open step. */
    private static List<Long> deltasOfLastAttempt(List<SessionEvent> log, AssistantMessage message) {
        List<Long> deltas = new ArrayList<>();
        for (SessionEvent event : log.subList((int) lastAttemptBegins(log), log.size())) {
            boolean ofStep = event.payload() instanceof AssistantChunk chunk
                    && chunk.turn() == message.turn().orElseThrow()
                    && chunk.step() == message.step().orElseThrow();
            if (!ofStep) {
                continue;
            }
            StreamChunk chunk = ((AssistantChunk) event.payload()).chunk();
            if (chunk instanceof StreamChunk.Finish) {
                deltas.clear();
            } else if (chunk instanceof StreamChunk.TextDelta delta
                    && !delta.text().isEmpty()) {
                deltas.add(event.seq());
            } else if (chunk instanceof StreamChunk.ReasoningDelta delta
                    && !delta.text().isEmpty()) {
                deltas.add(event.seq());
            }
        }
        return deltas;
    }

    private static String text(StreamChunk chunk, Map<String, StringBuilder> parts) {
        String key;
        String text;
        if (chunk instanceof StreamChunk.TextDelta delta) {
            key = "text#" + delta.index();
            text = delta.text();
        } else if (chunk instanceof StreamChunk.ReasoningDelta delta) {
            key = "reasoning#" + delta.index();
            text = delta.text();
        } else {
            StreamChunk.BlockEnd end = (StreamChunk.BlockEnd) chunk;
            boolean visible = end.block() instanceof TextBlock;
            key = (visible ? "text#" : "reasoning#") + end.index();
            text = visible ? ((TextBlock) end.block()).text() : ((ReasoningBlock) end.block()).text();
        }
        parts.computeIfAbsent(key, k -> new StringBuilder()).append(text);
        return text;
    }

    @Test
    void messages_of_a_recovered_session_are_those_before_and_what_the_closers_say() {
        forEachCut(100, ALL_SETTINGS, (recovery, structured) -> {
            List<Message> expected = new ArrayList<>(recovery.surface().messages());
            for (SessionEvent closer : recovery.closers()) {
                if (closer.isSurface()) {
                    expected.add(((SurfacePayload) closer.payload()).message());
                }
            }
            assertThat(recovery.surface().plan(recovery.closers()).after().messages())
                    .isEqualTo(expected);
        });
    }
}
