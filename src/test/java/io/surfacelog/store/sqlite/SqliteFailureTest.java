package io.surfacelog.store.sqlite;

import static io.surfacelog.store.SampleLogs.header;
import static io.surfacelog.store.SampleLogs.user;
import static io.surfacelog.store.SampleLogs.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.WriteOutcome;
import io.surfacelog.store.WriteOutcome.Committed;
import io.surfacelog.store.WriteOutcome.Damaged;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong beneath a store that is open: locks, a full disk, damage; and that it goes on afterwards. */
class SqliteFailureTest {

    private static final SessionId A = SessionId.of("a");
    private static final SessionId B = SessionId.of("b");

    @TempDir
    private Path directory;

    private Path file = Path.of("");
    private SqliteEventStore store;

    @BeforeEach
    void open() {
        file = directory.resolve("store.db");
        store = SqliteEventStore.open(SqliteSettings.at(file).busyTimeout(Duration.ofMillis(50)));
        store.commit(
                List.of(SessionWrite.create(header("a"), users(0, 3)), SessionWrite.create(header("b"), users(0, 3))));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Connection other() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=5000");
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = other();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private SessionWrite append(SessionId id, int count) {
        return SessionWrite.append(id, 3, users(3, count), "k");
    }

    private void expectUnavailable(Reason reason, Runnable use) {
        assertThatThrownBy(use::run)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(file.toString());
    }

    private void expectUntouchedAndUsable() {
        assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 3));
        assertThat(store.lastPosition()).isEqualTo(2);
        assertThat(store.keyed(A, "k")).isEmpty();
        assertThat(store.commit(List.of(append(A, 2)))).containsExactly(new Committed(3));
        assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 5));
        assertThat(store.verify(A)).isEmpty();
        assertThat(store.verifyShared()).isEmpty();
    }

    @Test
    void a_lock_held_for_longer_than_the_busy_timeout_is_reported_and_leaves_the_store_usable() throws SQLException {
        try (Connection connection = other();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            expectUnavailable(Reason.LOCKED, () -> store.commit(List.of(append(A, 1))));
            expectUnavailable(Reason.LOCKED, () -> store.declare(List.of("x/y")));
            // readers never wait for a writer
            assertThat(store.events(A, EventRange.all())).hasSize(3);
            statement.execute("ROLLBACK");
        }
        expectUntouchedAndUsable();
    }

    @Test
    void a_full_disk_is_reported_and_nothing_of_the_commit_is_stored() {
        limitPages("(SELECT page_count FROM pragma_page_count)");
        SessionWrite large = SessionWrite.append(B, 3, List.of(user(3, incompressible(100_000))), null);
        expectUnavailable(Reason.DISK_FULL, () -> store.commit(List.of(append(A, 2), large)));
        assertThat(store.events(B, EventRange.all())).isEqualTo(users(0, 3));
        limitPages("1000000");
        expectUntouchedAndUsable();
    }

    private static String incompressible(int chars) {
        return new java.util.SplittableRandom(chars)
                .ints(chars, '0', 'z')
                .filter(c -> c != '\\')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private void limitPages(String pages) {
        store.database().onWriter(link -> {
            String count = link.first("SELECT " + pages);
            link.run("PRAGMA max_page_count = " + count);
            return count;
        });
    }

    @Test
    void a_connection_that_was_closed_beneath_is_replaced() {
        store.database().onWriter(link -> {
            link.close();
            return 0;
        });
        expectUntouchedAndUsable();
    }

    @Test
    void a_transaction_that_breaks_off_in_the_middle_leaves_nothing() {
        assertThatThrownBy(() -> store.database().write("trying", link -> {
                    link.run("DELETE FROM event");
                    throw new SQLException("broken off");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("trying")
                .hasMessageContaining("broken off");
        expectUntouchedAndUsable();
    }

    @Test
    void a_store_that_holds_all_it_can_says_so() throws SQLException {
        sql("UPDATE sqlite_sequence SET seq = " + EventRow.MAX_SESSION);
        SessionWrite write = SessionWrite.create(header("c"), List.of());
        assertThatThrownBy(() -> store.commit(List.of(write)))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.CAPACITY))
                .hasMessageContaining("" + EventRow.MAX_SESSION);
    }

    @Nested
    class Damage {

        @Test
        void of_an_event_is_reported_with_session_and_seq_and_the_others_stay_readable() throws SQLException {
            sql("UPDATE event SET data = '{}' WHERE key = " + EventRow.key(1, 1));
            assertThatThrownBy(() -> store.events(A, EventRange.all()))
                    .isInstanceOfSatisfying(DamagedStoreException.class, e -> {
                        assertThat(e.session()).contains(A);
                        assertThat(e.seq()).hasValue(1);
                    });
            assertThat(store.events(A, EventRange.of(0, 1))).isEqualTo(users(0, 1));
            assertThat(store.events(A, EventRange.of(2, 3))).isEqualTo(users(2, 1));
            assertThat(store.events(B, EventRange.all())).isEqualTo(users(0, 3));
            assertThat(store.verify(A)).hasSize(1).allMatch(fault -> A.equals(fault.session()));
            assertThat(store.verify(B)).isEmpty();
        }

        @Test
        void by_a_vanished_event_is_noticed_by_every_kind_of_reading() throws SQLException {
            sql("DELETE FROM event WHERE key = " + EventRow.key(1, 1));
            for (EventRange.Kind kind : EventRange.Kind.values()) {
                EventRange all = EventRange.all().kind(kind);
                for (EventRange range : List.of(all, all.from(1), all.to(2), all.limit(2))) {
                    assertThatThrownBy(() -> store.events(A, range))
                            .as("%s", range)
                            .isInstanceOf(DamagedStoreException.class);
                }
                assertThatThrownBy(() -> store.forEach(A, all, event -> {})).isInstanceOf(DamagedStoreException.class);
            }
            assertThat(store.events(A, EventRange.of(2, 3))).isEqualTo(users(2, 1));
            assertThat(store.verify(A)).isNotEmpty();
        }

        @Test
        void by_a_vanished_tail_is_noticed() throws SQLException {
            sql("DELETE FROM event WHERE key = " + EventRow.key(1, 2));
            assertThatThrownBy(() -> store.events(A, EventRange.all().from(2)))
                    .isInstanceOfSatisfying(
                            DamagedStoreException.class,
                            e -> assertThat(e.seq()).hasValue(2));
            assertThat(store.verify(A)).isNotEmpty();
        }

        @Test
        void of_a_session_refuses_its_writes_and_lets_those_of_others_pass() throws SQLException {
            sql("UPDATE session SET next_seq = 2 WHERE number = 1");
            List<WriteOutcome> outcomes = store.commit(List.of(append(A, 1), append(B, 1)));
            assertThat(outcomes.get(0))
                    .isInstanceOfSatisfying(
                            Damaged.class,
                            damaged -> assertThat(damaged.fault().session()).isEqualTo(A));
            assertThat(outcomes.get(1)).isEqualTo(new Committed(3));
            assertThatThrownBy(() -> store.find(A)).isInstanceOf(DamagedStoreException.class);
            SessionPage page = store.list(SessionFilter.all());
            assertThat(page.sessions()).extracting(StoredSession::id).containsExactly(B);
            assertThat(page.damaged()).extracting(StoreFault::session).containsExactly(A);
            assertThat(store.find(B).orElseThrow().nextSeq()).isEqualTo(4);
        }

        @Test
        void by_an_event_beyond_the_tail_refuses_that_write_and_lets_the_others_pass() throws SQLException {
            sql("UPDATE event SET key = " + EventRow.key(1, 4) + " WHERE key = " + EventRow.key(2, 2));
            List<WriteOutcome> outcomes = store.commit(List.of(
                    SessionWrite.create(header("c"), users(0, 1)),
                    append(A, 3),
                    SessionWrite.append(SessionId.of("c"), 1, users(1, 1), null)));
            assertThat(outcomes.get(0)).isEqualTo(new Committed(3));
            assertThat(outcomes.get(1))
                    .isInstanceOfSatisfying(
                            Damaged.class,
                            damaged -> assertThat(damaged.fault().seq()).hasValue(4));
            assertThat(outcomes.get(2)).isEqualTo(new Committed(4));
            assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 3));
            assertThat(store.verify(A)).anyMatch(fault -> fault.detail().contains("beyond the tail"));
            assertThat(store.verify(B)).isNotEmpty();
        }

        @Test
        void by_rows_of_no_session_is_found_by_the_verification() throws SQLException {
            sql("UPDATE event SET key = " + EventRow.key(77, 0) + " WHERE key = " + EventRow.key(2, 2));
            try (SqliteLink link = new SqliteLink(other())) {
                PreparedStatement commit = link.statement("INSERT INTO commit_log VALUES (?, ?, ?, ?, ?)");
                new CommitRow(3, 78, 0, 0).bind(commit);
                commit.executeUpdate();
                PreparedStatement key = link.statement("INSERT INTO idempotency_key VALUES (?, ?, ?, ?, ?)");
                new KeyRow(79, "k", 0, 1).bind(key);
                key.executeUpdate();
            }
            for (String number : List.of("77", "78", "79")) {
                assertThat(store.verifyShared())
                        .anyMatch(fault -> fault.detail().contains(number));
            }
        }

        @Test
        void by_commits_that_cover_a_session_twice_or_not_at_all_is_found() throws SQLException {
            store.commit(List.of(append(A, 2)));
            sql("DELETE FROM commit_log WHERE position = 3");
            assertThat(store.verifyShared())
                    .anyMatch(
                            fault -> A.equals(fault.session()) && fault.where().equals("commit_log"));
        }

        @Test
        void of_a_declared_type_that_vanished_is_noticed() throws SQLException {
            store.declare(List.of("x/y"));
            sql("DELETE FROM declared_type");
            assertThatThrownBy(store::declaredTypes).isInstanceOf(DamagedStoreException.class);
            assertThat(store.verifyShared()).isNotEmpty();
        }

        @Test
        void of_the_last_commit_stops_all_writes() throws SQLException {
            sql("UPDATE commit_log SET to_seq = 9 WHERE position = 2");
            assertThatThrownBy(() -> store.commit(List.of(append(A, 1)))).isInstanceOf(DamagedStoreException.class);
            assertThatThrownBy(store::lastPosition).isInstanceOf(DamagedStoreException.class);
            assertThat(store.events(A, EventRange.all())).hasSize(3);
        }

        @Test
        void by_another_dictionary_is_reported_and_keeps_it_from_being_opened_again() throws SQLException {
            sql("UPDATE dictionary SET content = zeroblob(16384)");
            // those who have it open go by the one they have read
            assertThat(store.events(A, EventRange.all())).hasSize(3);
            assertThat(store.verifyShared()).anyMatch(fault -> fault.where().equals("dictionary"));
            assertThatThrownBy(() -> SqliteEventStore.open(SqliteSettings.at(file)))
                    .isInstanceOf(DamagedStoreException.class)
                    .hasMessageContaining("dictionary");
        }

        @Test
        void by_an_index_that_disappeared_meanwhile_is_reported() throws SQLException {
            sql("DROP INDEX segment_owner");
            assertThat(store.verifyShared()).anyMatch(fault -> fault.where().equals("schema"));
            assertThat(store.events(A, EventRange.all())).hasSize(3);
        }
    }
}
