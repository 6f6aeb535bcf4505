package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.memory.MemoryEventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.surface.SurfaceNode;
import io.surfacelog.testing.Aside;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Appends race a compaction: none is lost, none is overwritten, and each is seen unless it was chosen to be hidden. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RacingAppendsTest {

    @TempDir
    private Path directory;

    @Test
    @Tag("slow")
    void none_is_lost_in_thousands_of_interleavings() throws Exception {
        try (EventStore store = MemoryEventStore.create();
                CommandStack a = CommandStack.on(store).start();
                CommandStack b = CommandStack.on(store).start()) {
            for (int round = 0; round < 3_000; round++) {
                race(a, b, round);
            }
        }
    }

    @Test
    void nor_in_two_processes_on_one_file() throws Exception {
        SqliteSettings settings =
                SqliteSettings.at(directory.resolve("store.db")).synchronous(SqliteSettings.Synchronous.NORMAL);
        try (EventStore first = SqliteEventStore.open(settings);
                EventStore second = SqliteEventStore.open(settings);
                CommandStack a = CommandStack.on(first).start();
                CommandStack b = CommandStack.on(second).start()) {
            for (int round = 0; round < 40; round++) {
                race(a, b, round);
            }
        }
    }

    private static void race(CommandStack a, CommandStack b, int round) throws Exception {
        SessionId id = a.commands.create(
                SessionHeader.builder().id(SessionId.of("race-" + round)).build());
        new Conversation(a.commands, id).turns(6);
        Random random = new Random(round);
        CyclicBarrier start = new CyclicBarrier(3);
        int spins = random.nextInt(400);
        int appends = 1 + random.nextInt(6);
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (CommandStack stack : List.of(a, b)) {
            writers.add(Aside.run(() -> {
                await(start);
                for (int i = 0; i < appends; i++) {
                    stack.commands.append(id, UserMessage.of((stack == a ? "a" : "b") + i), SurfaceIntent.append());
                }
            }));
        }
        CompactionOutcome outcome;
        try (Compactions compactions = Compactions.of(
                a.commands,
                a.queries,
                request -> {
                    await(start);
                    for (int i = 0; i < spins; i++) {
                        Thread.onSpinWait();
                    }
                    return Summary.of("Parcels.", "test", "fixed");
                },
                CompactionSettings.defaults())) {
            outcome = compactions.compactNow(id);
        }
        for (CompletableFuture<Void> writer : writers) {
            writer.get(60, TimeUnit.SECONDS);
        }
        a.queries.refresh(id);
        assertThat(outcome).as("round %s", round).isInstanceOf(CompactionOutcome.Compacted.class);
        List<String> said = a.queries.messages(id).stream().map(Message::text).toList();
        for (int i = 0; i < appends; i++) {
            assertThat(said).as("round %s", round).containsOnlyOnce("a" + i, "b" + i);
        }
        assertThat(said.indexOf("a" + (appends - 1))).isGreaterThanOrEqualTo(said.indexOf("a0"));
        List<SessionEvent> log = new ArrayList<>();
        a.queries.forEach(id, log::add);
        // six turns of twelve events, the compaction, the appends
        assertThat(log).hasSize(6 * 13 + 4 + 2 * appends);
        assertThat(a.queries.surface(id).nodes().stream().map(SurfaceNode::seq)).doesNotHaveDuplicates();
        WholeConversation.expect(a.queries, id);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
