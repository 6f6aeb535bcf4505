package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.store.ErasureIncompleteException;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.Reclaimed;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.testing.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Erasing leaves no byte, as a look at the raw files shows. */
class ErasureTest {

    private static final SessionId GONE = SessionId.of("the-session-that-goes");
    private static final SessionId STAYS = SessionId.of("the-session-that-stays");

    @TempDir
    private Path directory;

    private Path file;
    private Random random = new Random(0);
    private final List<byte[]> secrets = new ArrayList<>();

    @BeforeEach
    void nameFile() {
        file = directory.resolve("store.db");
    }

    private SqliteEventStore open() {
        return SqliteEventStore.open(
                SqliteSettings.at(file).busyTimeout(Duration.ofMillis(200)).readConnections(2));
    }

    private String secret() {
        StringBuilder secret = new StringBuilder("secret-");
        for (int i = 0; i < 24; i++) {
            secret.append((char) ('a' + random.nextInt(26)));
        }
        secrets.add(secret.toString().getBytes(StandardCharsets.UTF_8));
        return secret.toString();
    }

    private SessionEvent user(long seq, String text) {
        return SessionEvent.of(seq, 1, "user/message", data("text", text), SurfaceIntent.append(), false);
    }

    private static JsonText data(String name, String text) {
        return JsonText.of(JsonObject.builder().put(name, Json.of(text)).build());
    }

    /** Plain rows, compressed ones, packed ones, single chunks that a message repacks. */
    private List<SessionEvent> events(long from, int count, boolean secretly) {
        List<SessionEvent> events = new ArrayList<>();
        while (events.size() < count) {
            long seq = from + events.size();
            String text = secretly ? secret() : "nothing special " + random.nextInt(9);
            switch (random.nextInt(4)) {
                case 0 -> events.add(user(seq, text));
                case 1 -> events.add(user(seq, (text + " ").repeat(60)));
                default -> events.add(SessionEvent.of(seq, 1, "assistant/chunk", data("delta", text), null, false));
            }
        }
        return events;
    }

    private void create(SqliteEventStore store, SessionId id, boolean secretly) {
        List<SessionEvent> log = events(0, 60, secretly);
        store.commit(List.of(new SessionWrite(
                id,
                SessionHeader.builder().id(id).createdAt(1).cwd("/srv/" + id).build(),
                null,
                0,
                log,
                java.util.Map.of("key of " + id, new io.surfacelog.store.KeyedAppend(0, 1)),
                null,
                null)));
        for (int i = 0; i < 20; i++) {
            store.commit(List.of(SessionWrite.append(id, 60 + i, events(60 + i, 1, secretly), null)));
        }
        store.saveCheckpoint(id, new StoredCheckpoint(80, ("checkpoint of " + id).getBytes(StandardCharsets.UTF_8)));
    }

    /** What the rows of the session hold, as it is stored: also compressed blobs. */
    private void noteRows(long number) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT data FROM event WHERE key >> 32 = " + number)) {
            int blobs = 0;
            while (row.next()) {
                byte[] data = row.getBytes(1);
                if (data.length > 40) {
                    secrets.add(java.util.Arrays.copyOf(data, 40));
                }
                blobs += Compression.isBlock(data) ? 1 : 0;
            }
            assertThat(blobs).isGreaterThan(3);
        }
    }

    /** How many of these are somewhere in the files beside the database, itself included. */
    private int found() throws IOException {
        int found = 0;
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.toList();
        }
        for (Path one : files) {
            String content = new String(Files.readAllBytes(one), StandardCharsets.ISO_8859_1);
            for (byte[] secret : secrets) {
                found += content.contains(new String(secret, StandardCharsets.ISO_8859_1)) ? 1 : 0;
            }
        }
        return found;
    }

    @Test
    void no_byte_of_content_or_id_is_left_in_any_file() {
        Seeds.forEach(4, seed -> {
            random = new Random(seed);
            secrets.clear();
            file = directory.resolve("store.db");
            try {
                for (String name : List.of("store.db", "store.db-wal", "store.db-shm")) {
                    Files.deleteIfExists(directory.resolve(name));
                }
                List<SessionEvent> stays;
                try (SqliteEventStore store = open()) {
                    create(store, STAYS, false);
                    create(store, GONE, true);
                    stays = store.events(STAYS, EventRange.all());
                    noteRows(2);
                    secrets.add(GONE.value().getBytes(StandardCharsets.UTF_8));
                    assertThat(found()).isGreaterThan(20);
                    if (seed % 2 == 1) {
                        store.delete(GONE);
                        assertThat(found()).as("delete alone leaves bytes").isPositive();
                    }
                    ErasureProof proof = store.erase(GONE, false);
                    assertThat(proof.found()).isZero();
                    assertThat(proof.bytes()).isEqualTo(Files.size(file));
                    assertThat(proof.markers()).isPositive();
                    assertThat(Files.size(directory.resolve("store.db-wal"))).isZero();
                    assertThat(store.erase(GONE, false).found()).as("again").isZero();
                    assertThat(store.events(STAYS, EventRange.all())).isEqualTo(stays);
                    assertThat(store.verify(STAYS)).isEmpty();
                    assertThat(store.verifyShared()).isEmpty();
                }
                assertThat(found()).isZero();
            } catch (IOException | SQLException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void while_somebody_reads_an_older_state_it_says_so_and_is_done_when_asked_again() throws Exception {
        try (SqliteEventStore store = open()) {
            create(store, STAYS, false);
            create(store, GONE, true);
            noteRows(2);
            try (Connection reader = DriverManager.getConnection("jdbc:sqlite:" + file)) {
                reader.setAutoCommit(false);
                try (Statement statement = reader.createStatement();
                        ResultSet row = statement.executeQuery("SELECT count(*) FROM event")) {
                    assertThat(row.next()).isTrue();
                    assertThatExceptionOfType(ErasureIncompleteException.class)
                            .isThrownBy(() -> store.erase(GONE, false))
                            .satisfies(e -> assertThat(e.sessions()).containsExactly(GONE))
                            .withMessageContaining("reading");
                }
                assertThat(store.find(GONE)).isEmpty();
                assertThat(store.find(STAYS)).isPresent();
                reader.rollback();
            }
            ErasureProof proof = store.erase(GONE, false);
            assertThat(proof.found()).isZero();
            assertThat(proof.markers()).as("those of the first attempt").isGreaterThan(20);
            assertThat(found()).isZero();
        }
    }

    @Test
    void what_another_session_holds_too_is_its_own_and_no_finding() {
        try (SqliteEventStore store = open()) {
            create(store, STAYS, true);
            List<SessionEvent> log = store.events(STAYS, EventRange.all());
            store.commit(List.of(SessionWrite.create(
                    SessionHeader.builder().id(GONE).createdAt(1).build(), log)));

            ErasureProof proof = store.erase(GONE, false);

            assertThat(proof.elsewhere()).isPositive();
            assertThat(proof.found()).isZero();
        }
    }

    @Test
    void the_shared_prefix_is_cut_to_what_is_needed_and_goes_with_the_last_who_needs_it() throws Exception {
        try (SqliteEventStore store = open()) {
            create(store, GONE, true);
            for (int prefix : new int[] {70, 33, 7}) {
                SessionId fork = SessionId.of("fork-" + prefix);
                store.commit(List.of(SessionWrite.fork(
                        SessionHeader.builder().id(fork).createdAt(1).build(),
                        GONE,
                        prefix,
                        events(prefix, 3, false))));
            }
            List<SessionEvent> seven = store.events(SessionId.of("fork-7"), EventRange.all());
            assertThat(store.delete(GONE).kept()).isEqualTo(70);
            for (int[] step : new int[][] {{33, 70}, {70, 7}}) {
                store.delete(SessionId.of("fork-" + step[0]));
                assertThat(keptEvents()).isEqualTo(step[1]);
                assertThat(store.verifyShared()).isEmpty();
                assertThat(store.events(SessionId.of("fork-7"), EventRange.all()))
                        .isEqualTo(seven);
            }
            store.delete(SessionId.of("fork-7"));
            assertThat(keptEvents()).isZero();
            assertThat(store.verifyShared()).isEmpty();
        }
    }

    private long keptEvents() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT coalesce(sum(n), 0) FROM event WHERE key >> 32 = 1")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void reclaiming_gives_the_space_of_what_was_deleted_back() {
        try (SqliteEventStore store = open()) {
            create(store, STAYS, false);
            for (int i = 0; i < 20; i++) {
                SessionId id = SessionId.of("s" + i);
                create(store, id, true);
                store.delete(id);
            }
            Reclaimed reclaimed = store.reclaim();
            assertThat(reclaimed.bytesAfter()).isLessThan(reclaimed.bytesBefore() / 2);
            assertThat(store.verify(STAYS)).isEmpty();
            assertThat(store.verifyShared()).isEmpty();
        }
    }
}
