package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeaseHolder;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoverCommandTest {

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void import_a_session_that_somebody_drives() {
        cli = Cli.in(folder);
        cli.done("import", LogFile.of("a").event("turn/start", "{\"turn\":1}").in(folder, "a.jsonl"));
        try (EventStore store = SqliteEventStore.open(SqliteSettings.at(cli.database()))) {
            store.takeLease(LeaseRequest.by(
                    new LeaseHolder("o", "web-1", "4711 x y"),
                    SessionId.of("a"),
                    LeasePurpose.DRIVER,
                    System.currentTimeMillis(),
                    Duration.ofHours(1)));
        }
    }

    @Test
    void says_who_drives_the_session_and_changes_nothing() {
        assertThat(cli.failed("recover", "a").err())
                .contains("session \"a\" is driven by process 4711 on web-1", "until", "recover --force");
        assertThat(cli.done("list").out()).contains("  1                 0  a  (driven by process 4711 on web-1)\n");
    }

    @Test
    void takes_the_lease_away_by_force() {
        assertThat(cli.done("recover", "a", "--force").out())
                .isEqualTo("a: 1 event appended\n  1  turn/end  turn 1 interrupted\n");
        assertThat(cli.done("list").out()).doesNotContain("driven");
        assertThat(cli.done("recover", "a").out()).isEqualTo("a: nothing was open, nothing was appended\n");
        cli.done("verify", "--all");
    }
}
