package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.command.EventDraft;
import io.surfacelog.compaction.CompactionOutcome.Compacted;
import io.surfacelog.compaction.CompactionOutcome.NotNeeded;
import io.surfacelog.compaction.CompactionOutcome.NothingToCompact;
import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.CompactionSummary;
import io.surfacelog.event.EventType;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.surface.Surface;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CompactionsTest extends CompactionSuite {

    private final ExtractiveSummarizer extractive = new ExtractiveSummarizer();

    @Test
    void a_compaction_is_written_as_the_format_says() {
        conversation(10);
        long from = storedNextSeq(id);
        Surface before = stack.queries.surface(id);

        Compacted compacted = (Compacted) compactions(extractive).compactNow(id);

        assertThat(typesFrom(from))
                .containsExactly(
                        EventType.COMPACTION_START,
                        EventType.COMPACTION_SUMMARY,
                        EventType.USER_MESSAGE,
                        EventType.COMPACTION_END);
        List<SessionEvent> log = stored(id);
        CompactionStart start = (CompactionStart) log.get((int) from).payload();
        CompactionSummary summary = (CompactionSummary) log.get((int) from + 1).payload();
        UserMessage message = (UserMessage) log.get((int) from + 2).payload();
        CompactionEnd end = (CompactionEnd) log.get((int) from + 3).payload();
        assertThat(List.of(start.compactionId(), summary.compactionId(), end.compactionId()))
                .containsOnly(compacted.compactionId());
        assertThat(start.turn()).isEmpty();
        assertThat(end.error()).isNull();
        assertThat(summary.shadowed().seqs()).isEqualTo(compacted.hidden());
        assertThat(summary.shadowed().tokenCount()).isEqualTo(compacted.hiddenTokens());
        assertThat(summary.provider()).isEqualTo(ExtractiveSummarizer.PROVIDER);
        assertThat(message.message().source().json().toText())
                .isEqualTo("{\"kind\":\"plugin\",\"plugin\":\"compact\",\"compactionId\":\"" + compacted.compactionId()
                        + "\"}");
        assertThat(log.get((int) from + 2).intent().orElseThrow().sourcesOrNone())
                .isEqualTo(io.surfacelog.event.EventSeqs.of(from, from + 1).and(compacted.hidden()));
        assertThat(compacted.seq()).isEqualTo(from + 2);
        assertThat(compacted.tokensAfter()).isLessThan(compacted.tokensBefore());

        Surface after = stack.queries.surface(id);
        int hidden = (int) compacted.hidden().size();
        assertThat(after.nodes().get(0).seq()).isEqualTo(from + 2);
        assertThat(after.messages().subList(1, after.messages().size()))
                .isEqualTo(before.messages().subList(hidden, before.messages().size()));
    }

    @Test
    void without_pressure_nothing_is_written_and_with_it_the_newest_stay() {
        conversation(30);
        Compactions compactions = compactions(extractive);
        assertThat(((NotNeeded) compactions.compactIfNeeded(id)).threshold()).isEmpty();

        stack.commands.append(id, RequestContext.of("example", "helper-1", 1_000_000L));
        long seq = storedNextSeq(id);
        assertThat(((NotNeeded) compactions.compactIfNeeded(id)).threshold()).hasValue(800_000);
        assertThat(storedNextSeq(id)).isEqualTo(seq);

        stack.commands.append(id, RequestContext.of("example", "helper-1", 4_000L));
        Compacted compacted = (Compacted) compactions.compactIfNeeded(id);
        assertThat(compacted.tokensAfter()).isLessThan(3_200);
        assertThat(compactions.compactIfNeeded(id)).isInstanceOf(NotNeeded.class);
        assertThat(stack.queries
                        .surface(id)
                        .messages()
                        .get(stack.queries.surface(id).messages().size() - 1)
                        .text())
                .isEqualTo("It is in Lyon, 30.");
    }

    @Test
    void a_window_that_is_configured_for_the_model_takes_precedence() {
        conversation(10);
        stack.commands.append(id, io.surfacelog.event.RequestHeader.of("example", "helper-1", null, "initial"));
        stack.commands.append(id, RequestContext.of("example", "helper-1", 1_000_000L));
        CompactionSettings settings = CompactionSettings.defaults()
                .model("helper-1", ModelWindow.of(1_000_000))
                .model("example/helper-1", new ModelWindow(OptionalLong.of(1_000), 0.5, 0.1));
        assertThat(compactions(stack, extractive, settings).compactIfNeeded(id)).isInstanceOf(Compacted.class);
    }

    @Test
    void a_summary_of_a_summary_merges_its_lines_and_does_not_nest() {
        Conversation conversation = conversation(10);
        Compactions compactions = compactions(extractive);
        compactions.compactNow(id);
        conversation.turns(10);

        Compacted second = (Compacted) compactions.compactNow(id);

        String text = stack.queries.surface(id).messages().get(0).text();
        assertThat(text.split("Summary of earlier", -1)).hasSize(2);
        assertThat(text).contains("user: Where is parcel 1?").contains("user: Where is parcel 12?");
        assertThat(second.hidden()
                        .contains(stack.queries.surface(id).nodes().get(0).seq()))
                .isFalse();
    }

    @Test
    void a_surface_of_one_summary_and_what_must_stay_has_nothing_to_compact() {
        conversation(10);
        Compactions compactions = compactions(extractive);
        compactions.compactNow(id);
        CompactionOutcome outcome = compactions.compactNow(id);
        for (int i = 0; i < 10 && outcome instanceof Compacted; i++) {
            outcome = compactions.compactNow(id);
        }
        long seq = storedNextSeq(id);
        assertThat(compactions.compactNow(id)).isInstanceOf(NothingToCompact.class);
        assertThat(storedNextSeq(id)).isEqualTo(seq);
    }

    @Test
    void an_orphan_is_reported_with_the_outcome_and_keeps_nothing_else() {
        stack.commands.appendAll(
                id,
                List.of(
                        EventDraft.of(UserMessage.of("Where is it?"), SurfaceIntent.append()),
                        EventDraft.of(
                                ToolResult.of(1, 1, ToolResultBlock.of("gone", "nobody asked")),
                                SurfaceIntent.append())));
        Orphan orphan = new Orphan(Orphan.Kind.RESULT_WITHOUT_CALL, 1, "gone");
        Compactions compactions = compactions(extractive);

        assertThat(compactions.compactNow(id))
                .isInstanceOfSatisfying(
                        NothingToCompact.class,
                        nothing -> assertThat(nothing.orphans()).containsExactly(orphan));

        conversation(10);
        assertThat(compactions.compactNow(id))
                .isInstanceOfSatisfying(
                        Compacted.class, done -> assertThat(done.orphans()).isEmpty());
        assertThat(stack.queries.surface(id).node(1)).isEmpty();
        stack.commands.delete(id); // with an orphan in its log no conversation is whole
    }

    @Test
    void an_empty_session_has_nothing_to_compact_and_an_unknown_one_is_refused() {
        Compactions compactions = compactions(extractive);
        assertThat(compactions.compactNow(id)).isInstanceOf(NothingToCompact.class);
        assertThat(storedNextSeq(id)).isZero();
        assertThatExceptionOfType(UnknownSessionException.class)
                .isThrownBy(() -> compactions.compactNow(SessionId.of("nobody")));
    }

    @Test
    void a_range_is_hidden_as_asked_and_widened_where_it_may_be() {
        conversation(5);
        Compactions compactions = compactions(saying("Parcels were looked for."));
        List<Long> nodes = java.util.Arrays.stream(stack.queries.surface(id).nodeSeqs())
                .boxed()
                .toList();
        // the second turn: question, calls, two results, answer
        assertThatExceptionOfType(UnsafeBoundaryException.class)
                .isThrownBy(() -> compactions.compactRange(id, nodes.get(5), nodes.get(6)))
                .satisfies(
                        refused -> assertThat(refused.faults().get(0).rule()).isEqualTo(BoundaryFault.Rule.SPLIT_PAIR));
        assertThat(stored(id)).noneMatch(event -> event.type().startsWith("compaction/"));

        Compacted compacted = (Compacted) compactions.compact(
                CompactionRequest.range(id, nodes.get(5), nodes.get(6)).widened());
        assertThat(compacted.hidden().toArray())
                .containsExactly(nodes.get(5), nodes.get(6), nodes.get(7), nodes.get(8));
    }

    @Test
    void a_range_that_names_a_shadowed_node_is_refused() {
        conversation(10);
        Compactions compactions = compactions(extractive);
        Compacted compacted = (Compacted) compactions.compactNow(id);
        long shadowed = compacted.hidden().toArray()[0];
        assertThatExceptionOfType(UnsafeBoundaryException.class)
                .isThrownBy(() -> compactions.compactRange(id, shadowed, compacted.seq()))
                .satisfies(refused ->
                        assertThat(refused.faults().get(0).rule()).isEqualTo(BoundaryFault.Rule.NOT_ON_SURFACE));
    }

    @Test
    void while_a_tool_runs_its_turn_stays_and_the_rest_is_compacted() {
        Conversation conversation = conversation(10).runningTool();
        long running = stack.queries
                .surface(id)
                .nodes()
                .get(stack.queries.surface(id).nodes().size() - 1)
                .seq();
        Compacted compacted = (Compacted) compactions(extractive).compactNow(id);
        assertThat(compacted.hidden().contains(running)).isFalse();
        assertThat(((CompactionStart) stored(id).stream()
                                .filter(event -> event.type().equals(EventType.COMPACTION_START))
                                .findFirst()
                                .orElseThrow()
                                .payload())
                        .turn())
                .hasValue(11);
        conversation.answered();
    }

    @Test
    void the_command_that_asked_is_recorded() {
        conversation(10);
        compactions(extractive).compact(CompactionRequest.now(id).askedBy("cmd-7"));
        assertThat(stored(id).stream()
                        .filter(event -> event.type().equals(EventType.COMPACTION_START))
                        .map(event -> ((CompactionStart) event.payload()).sourceCommandId())
                        .findFirst()
                        .orElseThrow())
                .hasValue("cmd-7");
    }
}
