package io.surfacelog.store.sqlite;

import static io.surfacelog.store.SampleLogs.header;
import static io.surfacelog.store.SampleLogs.user;
import static io.surfacelog.store.SampleLogs.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.StoreUnavailableException.Reason;
import io.surfacelog.store.WriteOutcome.Committed;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that go, shrink or fill up beneath a store: a clear error or the right answer, and nothing lost in silence. */
class LostFilesTest extends StoreFile {

    private static SessionWrite append(long at, SessionEvent... events) {
        return SessionWrite.append(A, at, List.of(events), null);
    }

    private Path beside(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private static void expect(Reason reason, Runnable use) {
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(use::run)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Nested
    @DisabledOnOs(OS.WINDOWS)
    class WhileOpen {

        @ParameterizedTest
        @ValueSource(strings = {"", "-wal", "-shm"})
        void a_file_that_is_deleted_stops_all_writes_and_reading_goes_on(String suffix) throws IOException {
            try (EventStore store = openWithOneSession()) {
                Files.delete(beside(suffix));
                for (int i = 0; i < 2; i++) {
                    expect(Reason.GONE, () -> store.commit(List.of(append(3, user(3, "lost")))));
                    expect(Reason.GONE, () -> store.declare(List.of("x/y")));
                }
                assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 3));
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "-wal", "-shm"})
        void a_file_that_is_deleted_long_after_the_last_look_is_missed(String suffix) throws IOException {
            try (EventStore store = openWithOneSession()) {
                // a state that is old enough to be told from any later one
                Files.setLastModifiedTime(directory, FileTime.fromMillis(System.currentTimeMillis() - 60_000));
                store.commit(List.of(append(3, user(3, "kept"))));
                store.commit(List.of(append(4, user(4, "kept"))));
                Files.delete(beside(suffix));
                expect(Reason.GONE, () -> store.commit(List.of(append(5, user(5, "lost")))));
                assertThat(store.events(A, EventRange.all())).hasSize(5);
            }
        }

        @Test
        void a_directory_that_is_moved_is_missed() throws IOException {
            Path inner = Files.createDirectory(directory.resolve("inner"));
            file = inner.resolve("store.db");
            try (EventStore store = openWithOneSession()) {
                Files.setLastModifiedTime(inner, FileTime.fromMillis(System.currentTimeMillis() - 60_000));
                store.commit(List.of(append(3, user(3, "kept"))));
                Files.move(inner, directory.resolve("elsewhere"));
                expect(Reason.GONE, () -> store.commit(List.of(append(4, user(4, "lost")))));
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "-wal"})
        void a_file_behind_a_link_is_missed_as_well(String suffix) throws IOException {
            Path there = Files.createDirectory(directory.resolve("there")).resolve("real.db");
            file = there;
            openWithOneSession().close();
            file = Files.createSymbolicLink(directory.resolve("link.db"), there);
            try (EventStore store = open()) {
                Files.setLastModifiedTime(directory, FileTime.fromMillis(System.currentTimeMillis() - 60_000));
                store.commit(List.of(append(3, user(3, "kept"))));
                Files.delete(there.resolveSibling("real.db" + suffix));
                expect(Reason.GONE, () -> store.commit(List.of(append(4, user(4, "lost")))));
            }
        }

        @Test
        void a_database_that_is_replaced_is_not_written_to_by_the_old_store() throws IOException {
            Path other = directory.resolve("other.db");
            SqliteEventStore.open(SqliteSettings.at(other)).close();
            byte[] bytes = Files.readAllBytes(other);
            try (EventStore store = openWithOneSession()) {
                Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
                expect(Reason.GONE, () -> store.commit(List.of(append(3, user(3, "lost")))));
                assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
            }
        }

        @Test
        void a_new_connection_does_not_read_another_database_in_its_place() throws IOException {
            Path other = directory.resolve("other.db");
            SqliteEventStore.open(SqliteSettings.at(other)).close();
            try (SqliteEventStore store = openWithOneSession()) {
                Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
                store.database().onWriter(link -> {
                    link.close();
                    return 0;
                });
                expect(Reason.GONE, () -> store.commit(List.of(append(3, user(3, "lost")))));
            }
        }

        @Test
        void a_database_that_is_put_back_is_written_to_again() throws IOException {
            Path away = directory.resolve("away.db");
            try (EventStore store = openWithOneSession()) {
                Files.move(file, away);
                expect(Reason.GONE, () -> store.commit(List.of(append(3, user(3, "lost")))));
                Files.move(away, file);
                assertThat(store.commit(List.of(append(3, user(3, "kept"))))).containsExactly(new Committed(2));
                try (EventStore again = open()) {
                    assertThat(again.events(A, EventRange.all())).hasSize(4);
                }
            }
        }

        @Test
        void a_database_that_is_cut_short_is_reported() throws IOException {
            try (EventStore store = openWithOneSession()) {
                store.commit(List.of(append(3, user(3, "x".repeat(50_000)))));
            }
            try (EventStore store = open();
                    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(Files.size(file) / 2 / 4_096 * 4_096);
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> store.events(A, EventRange.all()))
                        .withMessageContaining("a");
            }
        }
    }

    @Test
    void a_database_that_is_cut_anywhere_is_refused_or_gives_the_right_answers() throws IOException {
        try (EventStore store = openWithOneSession()) {
            store.commit(List.of(append(3, user(3, "x".repeat(20_000)))));
        }
        byte[] whole = Files.readAllBytes(file);
        List<SessionEvent> expected = List.of();
        try (EventStore store = open()) {
            expected = store.events(A, EventRange.all());
        }
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            int length = i < 4 ? new int[] {1, 99, 100, 4_096}[i] : 1 + random.nextInt(whole.length - 1);
            file = directory.resolve("cut-" + i + ".db");
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            try (EventStore store = open()) {
                assertThat(store.events(A, EventRange.all()))
                        .as("seed %d, %d bytes", seed, length)
                        .isEqualTo(expected);
            } catch (StoreException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }

    @Test
    void a_missing_write_ahead_log_leaves_an_earlier_state_that_is_sound() throws IOException {
        Path copy = directory.resolve("copy.db");
        openWithOneSession().close();
        try (EventStore store = open()) {
            store.commit(List.of(append(3, user(3, "in the log only"))));
            Files.copy(file, copy);
        }
        file = copy;
        try (EventStore store = open()) {
            // whoever deletes the log deletes what is in it, and no reader can tell
            assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 3));
            assertThat(store.verify(A)).isEmpty();
            assertThat(store.verifyShared()).isEmpty();
            assertThat(store.commit(List.of(append(3, user(3, "next"))))).containsExactly(new Committed(2));
        }
    }

    @Test
    void a_database_of_no_bytes_beside_its_log_is_refused_and_alone_it_is_a_new_one() throws IOException {
        Path zero = Files.createFile(directory.resolve("zero.db"));
        Path log = directory.resolve("zero.db-wal");
        try (EventStore store = openWithOneSession()) {
            assertThat(store.lastPosition()).isEqualTo(1);
            Files.copy(beside("-wal"), log);
        }
        file = zero;
        assertThatExceptionOfType(StoreException.class).isThrownBy(this::open).withMessageContaining("write-ahead log");
        assertThat(Files.size(zero)).isZero();
        Files.delete(log);
        try (EventStore begun = openWithOneSession()) {
            assertThat(begun.events(A, EventRange.all())).isEqualTo(users(0, 3));
        }
    }

    /** On a file system of its own; only root may mount one. */
    @Nested
    @EnabledOnOs(OS.LINUX)
    class OnASmallFileSystem {

        private void mounted(Runnable test) throws IOException, InterruptedException {
            Path mount = Files.createDirectory(directory.resolve("mount"));
            Assumptions.assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount.toString()));
            try {
                file = mount.resolve("store.db");
                test.run();
            } finally {
                assertThat(run("umount", "-l", mount.toString())).isTrue();
            }
        }

        private static boolean run(String... command) throws IOException, InterruptedException {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return process.exitValue() == 0;
        }

        @Test
        void B54_a_full_disk_refuses_an_append_and_lets_it_in_when_there_is_room() throws Exception {
            mounted(() -> {
                try (SqliteEventStore store = open()) {
                    store.commit(List.of(SessionWrite.create(header("a"), users(0, 6))));
                    Path ballast = fill();
                    SessionWrite three = append(6, user(6, "x".repeat(9_000)), user(7, noise()), user(8, "z"));

                    expect(Reason.DISK_FULL, () -> store.commit(List.of(three)));

                    assertThat(store.find(A).orElseThrow().nextSeq()).isEqualTo(6);
                    assertThat(store.list(SessionFilter.all()).sessions()).hasSize(1);
                    assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 6));
                    delete(ballast);
                    assertThat(store.commit(List.of(three))).containsExactly(new Committed(2));
                    assertThat(store.events(A, EventRange.all())).hasSize(9);
                }
                try (SqliteEventStore again = open()) {
                    assertThat(again.events(A, EventRange.all())).hasSize(9);
                    assertThat(again.verify(A)).isEmpty();
                    assertThat(again.verifyShared()).isEmpty();
                }
            });
        }

        @Test
        void B54_a_store_on_a_full_disk_can_be_read_when_opened_again() throws Exception {
            mounted(() -> {
                try (SqliteEventStore store = open()) {
                    store.commit(List.of(SessionWrite.create(header("a"), users(0, 6))));
                }
                Path ballast = fill();
                try (SqliteEventStore again = open()) {
                    assertThat(again.events(A, EventRange.all())).isEqualTo(users(0, 6));
                } catch (StoreUnavailableException e) {
                    // SQLite needs room for the index of its log
                    assertThat(e.getMessage()).isNotBlank();
                }
                delete(ballast);
                try (SqliteEventStore again = open()) {
                    assertThat(again.events(A, EventRange.all())).isEqualTo(users(0, 6));
                    assertThat(again.verifyShared()).isEmpty();
                }
            });
        }

        @Test
        void a_read_only_file_system_is_named_when_a_store_is_opened_or_created() throws Exception {
            mounted(() -> {
                openWithOneSession().close();
                remount("ro");
                expect(Reason.READ_ONLY, () -> open().close());
                Path there = file;
                file = there.resolveSibling("new.db");
                expect(Reason.READ_ONLY, () -> open().close());
                file = there.resolveSibling("not/there/new.db");
                assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> open().close());
                file = there;
                remount("rw");
                try (EventStore store = open()) {
                    assertThat(store.events(A, EventRange.all())).isEqualTo(users(0, 3));
                }
            });
        }

        private void remount(String mode) {
            try {
                String mount = String.valueOf(file.getParent());
                assertThat(run("mount", "-o", "remount," + mode, mount)).isTrue();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /** Leaves a little room, so that the commit begins and cannot be ended. */
        private Path fill() {
            Path ballast = file.resolveSibling("ballast");
            try (FileChannel channel =
                    FileChannel.open(ballast, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                java.nio.ByteBuffer page = java.nio.ByteBuffer.allocate(4_096);
                while (true) {
                    page.clear();
                    channel.write(page);
                }
            } catch (IOException full) {
                return ballast;
            }
        }

        private void delete(Path ballast) {
            try {
                Files.delete(ballast);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private String noise() {
            return new Random(7)
                    .ints(40_000, 'a', 'z')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
        }
    }
}
