package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.store.ForeignStoreException;
import io.surfacelog.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flips bits of the database file itself: pages, pointers, the schema, the free space, everything. */
class FileFlipTest {

    /** The places are shared out among so many threads, each with a file of its own. */
    private static final int WORKERS = Math.max(2, Runtime.getRuntime().availableProcessors());

    @TempDir
    private Path directory;

    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private byte[] pristine = {};
    private List<List<?>> expected = List.of();

    @BeforeEach
    void create() throws IOException {
        Path file = directory.resolve("pristine.db");
        SmallStore.create(file);
        pristine = Files.readAllBytes(file);
        try (SqliteEventStore store = open(file)) {
            expected = new Answers(store).all();
            assertThat(new Answers(store).verification()).isEmpty();
        }
        assertThat(Files.readAllBytes(file)).as("reading changes nothing").isEqualTo(pristine);
    }

    private static SqliteEventStore open(Path file) {
        return SqliteEventStore.open(SqliteSettings.at(file).readConnections(1));
    }

    /** One place in twelve, other ones each time; the slow one below leaves few out. */
    @Test
    void a_flipped_bit_in_any_byte_is_harmless_or_reported() {
        long seed = System.nanoTime();
        work(worker -> {
            Random random = new Random(seed + worker);
            for (int at = worker; at < pristine.length; at += WORKERS) {
                int bit = random.nextInt(8);
                // free space is mostly zeros, and one bit in it is as good as another
                if (random.nextInt(isFreeSpace(at) ? 192 : 12) == 0) {
                    flip(worker, at, bit);
                }
            }
        });
        assertThat(failures).as("seed %d", seed).isEmpty();
    }

    @Test
    @Tag("slow")
    void every_flipped_bit_of_every_third_byte_is_harmless_or_reported() {
        int offset = (int) (System.nanoTime() % 3);
        work(worker -> {
            for (int at = offset + 3 * worker; at < pristine.length; at += 3 * WORKERS) {
                // a few places stand for the zeros of the free space, of which the others are no different
                for (int bit = 0; bit < 8 && (!isFreeSpace(at) || at % 64 < WORKERS); bit++) {
                    flip(worker, at, bit);
                }
            }
        });
        assertThat(failures).as("from byte %d on", offset).isEmpty();
    }

    private static void work(IntConsumer share) {
        IntStream.range(0, WORKERS).parallel().forEach(share);
    }

    private boolean isFreeSpace(int at) {
        for (int i = Math.max(0, at - 12); i <= at + 12 && i < pristine.length; i++) {
            if (pristine[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private void flip(int worker, int at, int bit) {
        if (failures.size() > 20) {
            return;
        }
        Path file = directory.resolve("store-" + worker + ".db");
        byte[] flipped = pristine.clone();
        flipped[at] ^= (byte) (1 << bit);
        write(file, flipped);
        String place = "byte " + at + " bit " + bit + ": ";
        try (SqliteEventStore store = open(file)) {
            Answers answers = new Answers(store);
            Answers.Verdict verdict = answers.compareWith(expected);
            verdict.wrong().forEach(wrong -> failures.add(place + wrong));
            if (verdict.missing()
                    && !verdict.reported()
                    && answers.verification().isEmpty()) {
                failures.add(place + "something is missing and nothing is reported");
            }
        } catch (ForeignStoreException e) {
            if (!Arrays.equals(read(file), flipped)) {
                failures.add(place + "refused, yet changed, " + e.getMessage());
            }
        } catch (StoreException e) {
            // reported when opened
            assertThat(e.getMessage()).isNotBlank();
        } catch (RuntimeException e) {
            failures.add(place + e);
        }
    }

    private static void write(Path file, byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
