package io.surfacelog.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight processes create one store at once and write to it together. */
class EightProcessesTest {

    private static final int PROCESSES = 8;

    @TempDir
    private Path directory;

    @Test
    void that_open_a_fresh_database_at_once_lose_double_and_mix_nothing() throws Exception {
        write(3_000);
    }

    @Test
    @Tag("slow")
    void that_write_for_ten_seconds_lose_double_and_mix_nothing() throws Exception {
        for (int round = 0; round < 3; round++) {
            write(10_000);
        }
    }

    private void write(int millis) throws Exception {
        Path file = directory.resolve("store-" + System.nanoTime() + ".db");
        List<ChildJvm> children = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            children.add(ChildJvm.start(Writer.class, file, "p" + i, millis));
        }
        for (ChildJvm child : children) {
            child.awaitReady();
        }
        for (ChildJvm child : children) {
            child.go();
        }
        List<Acknowledgement> acknowledged = new ArrayList<>();
        for (ChildJvm child : children) {
            List<String> lines = child.awaitEnd();
            assertThat(lines).noneMatch(line -> line.contains("fault") || line.contains("Exception"));
            assertThat(lines).contains("heard all");
            lines.forEach(line -> Acknowledgement.parse(line).ifPresent(acknowledged::add));
        }
        check(file, acknowledged);
    }

    private static void check(Path file, List<Acknowledgement> acknowledged) {
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(file));
                SurfaceProjection projection = new SurfaceProjection(store, 10)) {
            SessionVerifier verifier = new SessionVerifier(store, projection);
            assertThat(verifier.verifyShared()).isEmpty();
            long events = 0;
            List<String> all = new ArrayList<>();
            for (StoredSession session : store.list(SessionFilter.all()).sessions()) {
                assertThat(verifier.verify(session.id()).faults()).isEmpty();
                events += session.nextSeq();
                all.addAll(batchesOf(store, session.id()));
            }
            assertThat(all).doesNotHaveDuplicates();
            long answered = acknowledged.stream()
                    .mapToLong(one -> one.to() - one.from())
                    .sum();
            assertThat(events).isEqualTo(answered).isGreaterThan(100);
            acknowledged.forEach(one -> KilledStore.assertStored(store, one));
        }
    }

    /** Every batch stands together, from its first event to its last. */
    private static List<String> batchesOf(EventStore store, SessionId id) {
        List<String> batches = new ArrayList<>();
        int next = 0;
        for (String text : Keyed.texts(store, id)) {
            String[] parts = text.split("-", -1);
            String batch = parts[0] + "-" + parts[1];
            if (next == 0) {
                batches.add(batch);
            } else {
                assertThat(batch).isEqualTo(batches.get(batches.size() - 1));
            }
            assertThat(Integer.parseInt(parts[2])).isEqualTo(next);
            next = next + 1 == Integer.parseInt(parts[3]) ? 0 : next + 1;
        }
        assertThat(next).isZero();
        return batches;
    }
}
