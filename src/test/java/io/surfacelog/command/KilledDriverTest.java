package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A driver in another process, with a lease of an hour, that is killed. */
@Timeout(120)
class KilledDriverTest {

    @TempDir
    private Path directory;

    private EventStore store;
    private CommandStack stack;
    private SessionId id;

    @BeforeEach
    void openStore() {
        store = SqliteEventStore.open(SqliteSettings.at(directory.resolve("store.db")));
        stack = CommandStack.on(store).start();
        id = stack.commands.create(StoreSuite.header("s"));
    }

    @AfterEach
    void closeStore() {
        stack.close();
        store.close();
    }

    @Test
    void is_kept_while_it_lives_and_taken_over_at_once_when_it_is_dead() throws Exception {
        try (DriverProcess other = DriverProcess.start(directory.resolve("store.db"), id)) {
            assertThatExceptionOfType(LeaseHeldException.class)
                    .isThrownBy(() -> stack.commands.drive(id))
                    .satisfies(e -> assertThat(e.holder()).startsWith("process " + other.pid()));
            assertThatExceptionOfType(LeaseHeldException.class).isThrownBy(() -> stack.commands.recover(id));

            other.kill();

            try (DriverLease driver = stack.commands.drive(id)) {
                assertThat(driver.recovered().events())
                        .extracting(SessionEvent::type)
                        .containsExactly(EventType.TURN_END);
                driver.append(TurnStart.of(2));
            }
        }
        assertThat(store.events(id, EventRange.all()))
                .extracting(SessionEvent::type)
                .containsExactly(EventType.TURN_START, EventType.TURN_END, EventType.TURN_START);
    }

    @Test
    void is_recovered_at_once_and_once() throws Exception {
        try (DriverProcess other = DriverProcess.start(directory.resolve("store.db"), id)) {
            other.kill();
        }
        assertThat(stack.commands.recover(id).events()).hasSize(1);
        assertThat(stack.commands.recover(id).events()).isEmpty();
        assertThat(store.find(id).orElseThrow().nextSeq()).isEqualTo(2);
    }
}
