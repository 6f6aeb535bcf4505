package io.surfacelog.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.autoconfigure.SurfacelogAutoConfiguration;
import io.surfacelog.command.Appended;
import io.surfacelog.command.Bounded;
import io.surfacelog.command.EventDraft;
import io.surfacelog.command.FaultyStore;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.UserMessage;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.memory.MemoryEventStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** What health says, and why. */
class StoreHealthTest {

    @TempDir
    Path directory;

    private Path database;
    private ApplicationContextRunner runner;

    @BeforeEach
    void prepareRunner() {
        database = directory.resolve("log.db");
        runner = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SurfacelogAutoConfiguration.class, ActuateAutoConfiguration.class))
                .withPropertyValues("surfacelog.sqlite.path=" + database, "surfacelog.sqlite.busy-timeout=50ms");
    }

    private static Health health(ApplicationContext context) {
        return context.getBean("surfacelogHealthIndicator", HealthIndicator.class)
                .health();
    }

    private static void expect(Health health, Status status, String reason) {
        assertThat(health.getStatus()).isEqualTo(status);
        assertThat(String.valueOf(health.getDetails().get("reasons"))).contains(reason);
    }

    private void sql(String statement) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    @Test
    void a_sound_store_is_up_and_shows_its_figures() {
        runner.run(context -> {
            SessionCommands commands = context.getBean(SessionCommands.class);
            SessionId id = commands.create(SessionHeader.builder().build());
            commands.create(SessionHeader.builder().build());
            try (var lease = commands.drive(id)) {
                lease.append(TurnStart.of(1));
                Health health = health(context);

                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails())
                        .containsEntry("backend", "sqlite")
                        .containsEntry(
                                "schemaVersion",
                                context.getBean(EventStore.class).info().schemaVersion())
                        .containsEntry("formatVersion", 0)
                        .containsEntry(
                                "storeId",
                                context.getBean(EventStore.class).info().storeId())
                        .containsEntry("sessions", 2L)
                        .containsEntry("liveSessions", 2)
                        .containsEntry("openLeases", 1L)
                        .containsEntry("queuedWrites", 0)
                        .containsEntry("checkpointLag", 1L)
                        .containsEntry("damagedSessions", 0)
                        .containsKeys("lastCommit", "freeBytes", "lastPosition")
                        .doesNotContainKey("reasons");
            }
            assertThat(health(context).getDetails()).containsEntry("openLeases", 0L);
        });
    }

    @Test
    void asking_writes_nothing() {
        runner.run(context -> {
            context.getBean(SessionCommands.class)
                    .create(SessionHeader.builder().build());
            byte[] before = Files.readAllBytes(directory.resolve("log.db-wal"));
            long position = context.getBean(EventStore.class).lastPosition();

            health(context);

            assertThat(Files.readAllBytes(directory.resolve("log.db-wal"))).isEqualTo(before);
            assertThat(context.getBean(EventStore.class).lastPosition()).isEqualTo(position);
        });
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void a_database_that_was_deleted_is_down() {
        runner.run(context -> {
            Files.delete(database);

            expect(health(context), Status.DOWN, "was deleted, moved or replaced");
        });
    }

    @Test
    void a_schema_that_became_another_is_down() {
        runner.run(context -> {
            sql("PRAGMA user_version = 99");

            expect(health(context), Status.DOWN, "the schema is not ours");
        });
    }

    @Test
    void a_disk_without_room_is_out_of_service() {
        runner.withPropertyValues("surfacelog.health.min-free-space=1000000TB")
                .run(context -> expect(health(context), Status.OUT_OF_SERVICE, "disk space runs out"));
    }

    @Test
    void a_commit_that_failed_is_held_against_the_store_until_one_succeeds() {
        runner.run(context -> {
            SessionCommands commands = context.getBean(SessionCommands.class);
            SessionId id = commands.create(SessionHeader.builder().build());
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + database);
                    Statement sql = other.createStatement()) {
                sql.execute("BEGIN IMMEDIATE");
                Assertions.assertThatThrownBy(() -> commands.append(id, TurnStart.of(1)))
                        .isInstanceOf(StoreUnavailableException.class);

                expect(health(context), Status.OUT_OF_SERVICE, "the last commit failed");
                sql.execute("ROLLBACK");
            }
            commands.append(id, TurnStart.of(1));

            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void a_failed_commit_is_forgiven_in_time_so_that_writes_are_tried_again() {
        runner.withPropertyValues("surfacelog.health.stuck-after=1ms").run(context -> {
            SessionCommands commands = context.getBean(SessionCommands.class);
            SessionId id = commands.create(SessionHeader.builder().build());
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + database);
                    Statement sql = other.createStatement()) {
                sql.execute("BEGIN IMMEDIATE");
                Assertions.assertThatThrownBy(() -> commands.append(id, TurnStart.of(1)))
                        .isInstanceOf(StoreUnavailableException.class);
                sql.execute("ROLLBACK");
            }

            Bounded.until(() -> health(context).getStatus().equals(Status.UP));
        });
    }

    @Test
    void a_damaged_session_is_named_once_it_was_found() {
        runner.withPropertyValues("management.endpoints.web.exposure.include=verify")
                .run(context -> {
                    SessionCommands commands = context.getBean(SessionCommands.class);
                    SessionId id = commands.create(
                            SessionHeader.builder().id(SessionId.of("hurt")).build());
                    commands.append(id, TurnStart.of(1));
                    sql("UPDATE event SET checksum = checksum + 1");
                    context.getBean(VerifyEndpoint.class).session("hurt", SecurityContext.NONE);

                    Health health = health(context);

                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails()).containsEntry("damagedSessions", 1);
                    assertThat(String.valueOf(health.getDetails().get("damaged")))
                            .contains("hurt");
                });
    }

    @Test
    void a_commit_that_does_not_end_is_a_stuck_writer() {
        CountDownLatch blocked = new CountDownLatch(1);
        FaultyStore store = new FaultyStore(MemoryEventStore.create());
        runner.withPropertyValues("surfacelog.health.stuck-after=1ms")
                .withBean(EventStore.class, () -> store)
                .run(context -> {
                    SessionCommands commands = context.getBean(SessionCommands.class);
                    SessionId id = commands.create(SessionHeader.builder().build());
                    store.beforeCommit(writes -> Bounded.await(blocked));
                    CompletableFuture<Appended> append =
                            commands.appendAllAsync(id, List.of(EventDraft.of(TurnStart.of(1))));
                    Bounded.until(() -> health(context).getStatus().equals(Status.OUT_OF_SERVICE));

                    expect(health(context), Status.OUT_OF_SERVICE, "the writer is stuck");
                    blocked.countDown();
                    append.join();
                    assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                });
    }

    @Test
    void a_queue_without_room_is_out_of_service() {
        CountDownLatch blocked = new CountDownLatch(1);
        FaultyStore store = new FaultyStore(MemoryEventStore.create());
        runner.withPropertyValues("surfacelog.queue.max-bytes=1KB", "surfacelog.queue.when-full=fail")
                .withBean(EventStore.class, () -> store)
                .run(context -> {
                    SessionCommands commands = context.getBean(SessionCommands.class);
                    SessionId id = commands.create(SessionHeader.builder().build());
                    store.beforeCommit(writes -> Bounded.await(blocked));
                    CompletableFuture<Appended> append = commands.appendAllAsync(
                            id, List.of(EventDraft.of(UserMessage.of("x".repeat(2_000)), SurfaceIntent.append())));

                    expect(health(context), Status.OUT_OF_SERVICE, "the queue is full");
                    blocked.countDown();
                    append.join();
                    assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                });
    }

    @Test
    void a_store_that_does_not_answer_is_down_in_bounded_time_and_holds_one_thread_however_often_it_is_asked() {
        CountDownLatch blocked = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        FaultyStore store = new FaultyStore(MemoryEventStore.create());
        store.beforeStatus(() -> {
            looks.incrementAndGet();
            Bounded.await(blocked);
        });
        runner.withPropertyValues("surfacelog.health.timeout=5ms")
                .withBean(EventStore.class, () -> store)
                .run(context -> {
                    for (int i = 0; i < 5; i++) {
                        expect(health(context), Status.DOWN, "has not answered within PT0.005S");
                    }
                    assertThat(looks).hasValue(1);
                    blocked.countDown();
                    Bounded.until(() -> health(context).getStatus().equals(Status.UP));
                });
    }

    @Test
    void health_can_be_switched_off() {
        runner.withPropertyValues("management.health.surfacelog.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }
}
