package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.ImportSession;
import io.surfacelog.command.StoreSuite;
import io.surfacelog.compaction.CompactionOutcome.Compacted;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionId;
import io.surfacelog.provider.Provider;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.StructureRule;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.SharedFolder;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kinds of fault that people have reported, as far as compaction goes. */
class BugCasesTest extends StoreSuite {

    private final SessionId id = SessionId.of("case");
    private CommandStack stack;

    @BeforeEach
    void startStack() {
        stack = start(CommandStack.on(store()).structure(StructureMode.REPORT));
    }

    private Surface load(String name) throws IOException {
        List<EventCandidate> log = new ArrayList<>();
        try (JsonlReader reader =
                JsonlReader.open(new ByteArrayInputStream(SharedFolder.bugCase(name)), EventLimits.defaults())) {
            for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                log.addAll(line.events());
            }
        }
        stack.commands.importLog(new ImportSession(header("case"), log.iterator(), EventTypes.standard()));
        return stack.queries.surface(id);
    }

    private Compacted compactedAfterMoreTurns() {
        stack.commands.recover(id);
        new Conversation(stack.commands, id, 4, stack.queries.surface(id).lastTurn()).turns(10);
        try (Compactions compactions = Compactions.of(
                stack.commands, stack.queries, new ExtractiveSummarizer(), CompactionSettings.defaults())) {
            return (Compacted) compactions.compactNow(id);
        }
    }

    private void expectValidRequests() {
        Surface surface = stack.queries.surface(id);
        for (Provider provider : Provider.values()) {
            assertThat(provider.validate(provider.render(surface.requestHeader(), surface.messages())
                            .body()))
                    .isEmpty();
        }
    }

    @Test
    void a_start_without_an_end_keeps_nobody_from_compacting() throws IOException {
        assertThat(load("B10.jsonl").nodeSeqs()).containsExactly(17, 11, 12);
        compactedAfterMoreTurns();
        assertThat(stack.queries.surface(id).openCompaction()).isEmpty();
        expectValidRequests();
    }

    @Test
    void a_call_that_was_cut_from_its_result_is_reported_and_blocks_nothing() throws IOException {
        Surface surface = load("B12.jsonl");
        assertThat(surface.nodeSeqs()).containsExactly(11, 5, 10, 12);
        BoundaryPolicy policy = BoundaryPolicy.of(surface, PinnedNodes.none());
        assertThat(policy.orphans()).containsExactly(new Orphan(Orphan.Kind.RESULT_WITHOUT_CALL, 5, "c1"));
        assertThat(policy.spans(0, 4)).containsExactly(new Span(0, 3));
        assertThat(compactedAfterMoreTurns().hidden().contains(5)).isTrue();
        expectValidRequests();
    }

    @Test
    void a_rewritten_result_still_belongs_to_its_call() throws IOException {
        Surface surface = load("B45a.jsonl");
        assertThat(surface.nodeSeqs()).containsExactly(2, 3, 7);
        BoundaryPolicy policy = BoundaryPolicy.of(surface, PinnedNodes.none());
        assertThat(policy.checked(2, 3)).isInstanceOf(Boundary.Unsafe.class);
        assertThat(policy.widened(3, 3)).isEqualTo(new Boundary.Safe(new Span(1, 2)));
        compactedAfterMoreTurns();
        expectValidRequests();
    }

    @Test
    void a_message_in_the_place_of_a_result_leaves_its_call_free_to_be_hidden() throws IOException {
        Surface surface = load("B45f.jsonl");
        assertThat(surface.findings()).anyMatch(finding -> finding.rule() == StructureRule.PAIR_SPLIT_BY_REPLACE);
        assertThat(BoundaryPolicy.of(surface, PinnedNodes.none()).orphans())
                .containsExactly(new Orphan(Orphan.Kind.CALL_WITHOUT_RESULT, 3, "c1"));
        compactedAfterMoreTurns();
        expectValidRequests();
    }

    @Test
    void compactions_are_counted_by_how_they_end_and_not_by_words() throws IOException {
        assertThat(load("B52.jsonl").nodeSeqs()).containsExactly(2, 3, 5, 10, 11);
        assertThat(tally()).isEqualTo(new CompactionTally(0, 1));
        compactedAfterMoreTurns();
        assertThat(tally()).isEqualTo(new CompactionTally(1, 1));
    }

    private CompactionTally tally() {
        return CompactionTally.of(stored(id));
    }
}
