package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.compaction.CompactionOutcome.Compacted;
import io.surfacelog.event.CompactionSummary;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.memory.MemoryEventStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompactionGrowthTest {

    /** What the four events of a compaction hold beside the summary, which stands in two of them, and beside seqs. */
    private static final int AROUND = 1_600;

    private static final int BYTES_OF_A_SEQ = 8;

    @Test
    void a_hundred_compactions_over_a_megabyte_grow_the_log_by_their_summaries() {
        try (EventStore store = MemoryEventStore.create();
                CommandStack stack = CommandStack.on(store).start()) {
            SessionId id = stack.commands.create(
                    SessionHeader.builder().id(SessionId.of("long")).build());
            // each turn about ten kilobytes of results
            Conversation talk = new Conversation(stack.commands, id, 75, 0).turns(110);
            assertThat(stack.queries.surface(id).textLength()).isGreaterThan(1_000_000);
            try (Compactions compactions = Compactions.of(
                    stack.commands, stack.queries, new ExtractiveSummarizer(), CompactionSettings.defaults())) {
                long allowed = 0;
                long grown = 0;
                for (int i = 0; i < 100; i++) {
                    long from = stack.queries.nextSeq(id);
                    CompactionOutcome outcome = compactRange(stack, compactions, id);
                    assertThat(outcome).isInstanceOf(Compacted.class);
                    List<SessionEvent> added = store.events(id, EventRange.of(from, Long.MAX_VALUE));
                    assertThat(added).hasSize(4);
                    grown += added.stream()
                            .mapToLong(event -> event.toText().length())
                            .sum();
                    CompactionSummary summary = (CompactionSummary) added.stream()
                            .filter(event -> event.type().equals(EventType.COMPACTION_SUMMARY))
                            .findFirst()
                            .orElseThrow()
                            .payload();
                    allowed += 2L * summary.summary().toText().length()
                            + 2
                                    * BYTES_OF_A_SEQ
                                    * ((Compacted) outcome).hidden().size()
                            + AROUND;
                }
                assertThat(grown).isLessThan(allowed);
                assertThat(allowed).isLessThan(1_000_000);
                assertThat(stack.queries.surface(id).textLength()).isLessThan(400_000);
                talk.turn();
                WholeConversation.expect(stack.queries, id);
            }
        }
    }

    /** Hides the first nodes that were not hidden before, together with the summary of those before them. */
    private static CompactionOutcome compactRange(CommandStack stack, Compactions compactions, SessionId id) {
        List<io.surfacelog.surface.SurfaceNode> nodes =
                stack.queries.surface(id).nodes();
        return compactions.compact(
                CompactionRequest.range(id, nodes.get(0).seq(), nodes.get(4).seq())
                        .widened());
    }
}
