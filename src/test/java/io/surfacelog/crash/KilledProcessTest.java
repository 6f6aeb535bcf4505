package io.surfacelog.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whenever a process is killed: what it has acknowledged is stored, nothing is there by half, and the next process goes
 * on. {@code -Dsurfacelog.seed=17} begins with another seed; a seed gives the programme, but not the moment of the kill.
 */
class KilledProcessTest {

    /** Small enough for the whole store to be checked after each kill. */
    private static final int KILLS_OF_A_STORE = 8;

    private static final int LANES = 2;

    @TempDir
    private Path directory;

    private final long firstSeed = Long.getLong("surfacelog.seed", System.nanoTime() & 0xFFFF_FFFFL);

    @Test
    void loses_nothing_it_has_acknowledged_and_leaves_nothing_by_half() {
        killAll(0, 1);
    }

    @Test
    @Tag("slow")
    void hundreds_of_times_loses_nothing_it_has_acknowledged() {
        IntStream.range(0, LANES).parallel().forEach(lane -> {
            for (int i = 0; i < 13; i++) {
                killAll(lane * 1_000 + i, 100);
            }
        });
    }

    private void killAll(int store, long most) {
        long seed = firstSeed + 1_000L * store;
        KilledStore killed = new KilledStore(directory.resolve("store-" + store + ".db"));
        try {
            for (int i = 0; i < KILLS_OF_A_STORE; i++) {
                kill(killed, store, seed + i);
            }
            assertThat(killed.acknowledgements()).isGreaterThan((int) Math.min(most, 100));
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + firstSeed + ", store " + store + ": " + e.getMessage(), e);
        }
    }

    private void kill(KilledStore killed, int store, long seed) throws IOException, InterruptedException {
        // seeds follow each other, and java.util.Random begins alike for such
        SplittableRandom random = new SplittableRandom(seed);
        ChildJvm child = ChildJvm.start(Programme.class, directory.resolve("store-" + store + ".db"), seed);
        child.awaitReady();
        if (random.nextInt(4) > 0) {
            child.awaitLines(random.nextInt(400));
        }
        Thread.sleep(random.nextInt(50));
        if (!child.isAlive()) {
            throw new AssertionError("ended by itself: " + String.join("\n", child.awaitEnd()));
        }
        killed.printed(child.kill());
        killed.check();
    }

    @Test
    void that_was_creating_a_store_leaves_one_that_can_be_created() throws Exception {
        killWhileCreating(6);
    }

    @Test
    @Tag("slow")
    void that_was_creating_a_store_sixty_times_leaves_one_that_can_be_created() throws Exception {
        killWhileCreating(60);
    }

    private void killWhileCreating(int times) throws Exception {
        SplittableRandom random = new SplittableRandom(firstSeed);
        for (int i = 0; i < times; i++) {
            // the next one finds what the last one left, until a store is finished
            Path file = directory.resolve("created-" + i / 3 + ".db");
            ChildJvm child = ChildJvm.start(Birth.class, directory.resolve("practice-" + i + ".db"), file);
            child.awaitReady();
            Thread.sleep(random.nextInt(60));
            List<String> lines = child.kill();
            assertThat(lines).as("seed %d", firstSeed).allMatch(line -> line.matches("ready|created .*"));
            if (i % 3 == 2 || lines.size() == 2) {
                expectStore(file, lines.size() == 2 ? lines.get(1).substring("created ".length()) : null);
            }
        }
    }

    private void expectStore(Path file, String id) throws IOException {
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(file))) {
            if (id != null) {
                assertThat(store.info().storeId()).isEqualTo(id);
            }
            SessionHeader header =
                    SessionHeader.builder().id(SessionId.random()).build();
            store.commit(List.of(SessionWrite.create(header, List.of())));
            assertThat(store.verifyShared()).isEmpty();
            assertThat(store.verify(header.id())).isEmpty();
        }
        assertThat(Files.size(file)).isPositive();
    }
}
