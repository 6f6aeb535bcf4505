package io.surfacelog.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.crash.ChildJvm;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real process that compacts is killed again and again; the session opens, answers, and can be compacted at once. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KilledCompactionTest {

    private static final int KILLS = 12;

    @TempDir
    private Path directory;

    @Test
    void whoever_comes_next_closes_what_was_open_and_compacts() throws Exception {
        Path database = directory.resolve("store.db");
        SessionId id = SessionId.of("killed");
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(database));
                CommandStack stack = CommandStack.on(store).start()) {
            stack.commands.create(SessionHeader.builder().id(id).build());
        }
        Random random = new Random(11);
        int abandoned = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            boolean hangs = kill % 2 == 0;
            ChildJvm child = ChildJvm.start(CompactingProgramme.class, database, id.value(), hangs ? 2 : 0);
            child.awaitReady();
            if (hangs) {
                child.awaitLine(CompactingProgramme.HANGS);
            } else {
                child.awaitLines(2 + random.nextInt(160));
            }
            assertThat(child.kill()).noneMatch(line -> line.startsWith("fault")).contains(ChildJvm.READY);
            abandoned += goOn(database, id) ? 1 : 0;
        }
        assertThat(abandoned).isGreaterThanOrEqualTo(KILLS / 2);
    }

    /** Whether an open compaction was found. */
    private static boolean goOn(Path database, SessionId id) {
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(database));
                CommandStack stack = CommandStack.on(store).start();
                Compactions compactions = Compactions.of(
                        stack.commands, stack.queries, new ExtractiveSummarizer(), CompactionSettings.defaults())) {
            assertThat(new SessionVerifier(store, stack.projection).verify(id).faults())
                    .isEmpty();
            boolean open = stack.queries.surface(id).openCompaction().isPresent();
            CompactionTally before = CompactionTally.of(store.events(id, EventRange.all()));
            new Conversation(stack.commands, id, 6, stack.queries.surface(id).lastTurn()).turns(3);
            assertThat(compactions.compactNow(id)).isInstanceOf(CompactionOutcome.Compacted.class);
            CompactionTally after = CompactionTally.of(store.events(id, EventRange.all()));
            assertThat(List.of(after.succeeded() - before.succeeded(), after.failed() - before.failed()))
                    .containsExactly(1L, open ? 1L : 0L);
            assertThat(stack.queries.surface(id).openCompaction()).isEmpty();
            WholeConversation.expect(stack.queries, id);
            return open;
        }
    }
}
