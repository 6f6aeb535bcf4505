package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.testing.Aside;
import io.surfacelog.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two processes compact and prune one session at once, while it is talked in: each is done or refused, and all is whole. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RacingCompactionsTest {

    @TempDir
    private Path directory;

    @Test
    void and_prunes_of_two_processes_leave_every_conversation_whole() {
        SqliteSettings settings =
                SqliteSettings.at(directory.resolve("store.db")).synchronous(SqliteSettings.Synchronous.NORMAL);
        try (EventStore first = SqliteEventStore.open(settings);
                EventStore second = SqliteEventStore.open(settings);
                CommandStack a = CommandStack.on(first).start();
                CommandStack b = CommandStack.on(second).start()) {
            int[] done = new int[1];
            Seeds.forEach(12, seed -> done[0] += race(a, b, seed));
            assertThat(done[0]).as("compactions and prunes").isGreaterThan(24);
        }
    }

    private static int race(CommandStack a, CommandStack b, long seed) {
        SessionId id = a.commands.create(
                SessionHeader.builder().id(SessionId.of("race-" + seed)).build());
        Conversation talk = new Conversation(a.commands, id, 20, 0).turns(6);
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (CommandStack stack : List.of(a, b)) {
            for (int worker = 0; worker < 2; worker++) {
                Random random = new Random(seed * 4 + all.size());
                all.add(Aside.supply(() -> work(stack, id, random)));
            }
        }
        talk.turns(6);
        int done = all.stream()
                .mapToInt(one -> one.orTimeout(60, TimeUnit.SECONDS).join())
                .sum();
        for (CommandStack stack : List.of(a, b)) {
            stack.queries.refresh(id);
            assertThat(stack.queries.surface(id).openCompaction()).isEmpty();
            WholeConversation.expect(stack.queries, id);
        }
        return done;
    }

    /** Returns how much was done; what is refused is refused because the other one is at it. */
    private static int work(CommandStack stack, SessionId id, Random random) {
        int done = 0;
        try (Compactions compactions = Compactions.of(
                stack.commands, stack.queries, new ExtractiveSummarizer(), CompactionSettings.defaults())) {
            for (int act = 0; act < 6; act++) {
                try {
                    if (random.nextBoolean()) {
                        done += compactions.compactNow(id) instanceof CompactionOutcome.Compacted ? 1 : 0;
                    } else {
                        PruneSettings settings = PruneSettings.defaults()
                                .chars(1_024, random.nextInt(300), random.nextInt(200))
                                .keepNewest(random.nextInt(3))
                                .worth(0, 0);
                        done += ToolResultPruner.of(stack.commands, stack.queries, settings)
                                .prune(id)
                                .pruned()
                                .size();
                    }
                } catch (CompactionRunningException e) {
                    assertThat(e).hasMessageContaining(id.value());
                }
            }
        }
        return done;
    }
}
