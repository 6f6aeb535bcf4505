package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.provider.Provider;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.surface.Replacement;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What holds of any session, however it is compacted and pruned, and whatever fails meanwhile. */
class CompactionLawsTest {

    private final AtomicInteger compacted = new AtomicInteger();
    private final AtomicInteger pruned = new AtomicInteger();

    @Test
    void random_compactions_and_prunes_break_no_conversation() {
        Seeds.forEach(120, seed -> {
            try (EventStore store = MemoryEventStore.create();
                    CommandStack stack = CommandStack.on(store).start()) {
                run(stack, seed);
            }
        });
        assertThat(compacted.get()).isGreaterThan(100);
        assertThat(pruned.get()).isGreaterThan(100);
    }

    private void run(CommandStack stack, long seed) {
        Random random = new Random(seed);
        SessionId id = SessionId.of("law-" + seed);
        List<EventCandidate> log = new ArrayList<>();
        SessionGenerator.structured(seed).log(120).forEach(event -> log.add(EventCandidate.of(event)));
        stack.commands.create(SessionHeader.builder().id(id).build(), log);
        stack.commands.recover(id);
        Conversation talk = new Conversation(
                stack.commands,
                id,
                1 + random.nextInt(30),
                stack.queries.surface(id).lastTurn());
        Summarizer summarizer = request -> switch (random.nextInt(6)) {
            case 0 -> Summary.of("", "test", "odd");
            case 1 -> throw new IllegalStateException("no summary today");
            case 2 -> {
                if (random.nextBoolean()) {
                    talk.turn();
                }
                yield Summary.of("Something was said about parcels.", "test", "odd");
            }
            default -> new ExtractiveSummarizer().summarize(request);
        };
        try (Compactions compactions =
                Compactions.of(stack.commands, stack.queries, summarizer, CompactionSettings.defaults())) {
            for (int act = 0; act < 14; act++) {
                act(stack, compactions, talk, id, random);
                expectWhole(stack, id);
            }
        }
    }

    private void act(CommandStack stack, Compactions compactions, Conversation talk, SessionId id, Random random) {
        Surface surface = stack.queries.surface(id);
        switch (random.nextInt(5)) {
            case 0 -> count(compactions.compactNow(id));
            case 1 -> {
                int size = surface.nodes().size();
                int first = random.nextInt(size);
                try {
                    count(compactions.compact(CompactionRequest.range(
                                    id,
                                    surface.nodes().get(first).seq(),
                                    surface.nodes()
                                            .get(first + random.nextInt(size - first))
                                            .seq())
                            .widened()));
                } catch (UnsafeBoundaryException e) {
                    assertThat(e.faults()).isNotEmpty();
                }
            }
            case 2 -> prune(stack, id, random);
            default -> talk.turns(1 + random.nextInt(3));
        }
    }

    private void count(CompactionOutcome outcome) {
        compacted.addAndGet(outcome instanceof CompactionOutcome.Compacted ? 1 : 0);
    }

    private void prune(CommandStack stack, SessionId id, Random random) {
        PruneSettings settings = PruneSettings.defaults()
                .chars(1_024, random.nextInt(300), random.nextInt(200))
                .keepNewest(random.nextInt(3))
                .worth(0, 0);
        ToolResultPruner pruner = ToolResultPruner.of(stack.commands, stack.queries, settings);
        PrunePlan done = pruner.prune(id);
        pruned.addAndGet(done.pruned().size());
        assertThat(pruner.prune(id).isEmpty()).isTrue();
        for (PrunePlan.Pruned one : done.pruned()) {
            RecalledText whole = Recall.of(stack.queries).read(id, one.seq(), 0, 100_000);
            assertThat(whole.length()).isGreaterThan(1_024);
        }
    }

    private static void expectWhole(CommandStack stack, SessionId id) {
        Surface surface = stack.queries.surface(id);
        assertThat(surface.findings()).isEmpty();
        assertThat(surface.openCompaction().filter(open -> !open.inherited())).isEmpty();
        for (Provider provider : Provider.values()) {
            assertThat(provider.validate(provider.render(surface.requestHeader(), surface.messages())
                            .body()))
                    .as("%s", provider)
                    .isEmpty();
        }
        List<SessionEvent> log = new ArrayList<>();
        stack.queries.forEach(id, log::add);
        Surface folded = Surface.empty().plan(log).after();
        assertThat(folded.nodeSeqs()).isEqualTo(surface.nodeSeqs());
        assertThat(folded.messages()).isEqualTo(surface.messages());
        for (Replacement replacement : stack.queries.replacements(id)) {
            assertThat(log.get((int) replacement.seq())
                            .intent()
                            .orElseThrow()
                            .sourcesOrNone()
                            .toArray())
                    .contains(replacement.shadowed().toArray());
        }
    }
}
