package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RebuildCommandTest {

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void import_sessions() {
        cli = Cli.in(folder);
        cli.done(
                "import",
                LogFile.of("a", ShowCommandTest.log()).in(folder, "a.jsonl"),
                LogFile.of("b").event("turn/start", "{\"turn\":7}").in(folder, "b.jsonl"));
    }

    private EventStore store() {
        return SqliteEventStore.open(SqliteSettings.at(cli.database()));
    }

    private Optional<StoredCheckpoint> checkpoint(String id) {
        try (EventStore store = store()) {
            return store.checkpoint(SessionId.of(id));
        }
    }

    @Test
    void a_session_gets_a_checkpoint_after_all_its_events() {
        assertThat(cli.done("rebuild", "a").out()).isEqualTo("a: checkpoint after 14 events\n");

        assertThat(checkpoint("a").orElseThrow().nextSeq()).isEqualTo(14);
        assertThat(checkpoint("b")).isEmpty();
    }

    @Test
    void all_sessions_do() {
        assertThat(cli.done("rebuild", "--all").out())
                .isEqualTo("b: checkpoint after 1 event\na: checkpoint after 14 events\n");
    }

    @Test
    void a_wrong_checkpoint_is_not_sound_until_it_is_rebuilt() {
        try (EventStore store = store()) {
            store.saveCheckpoint(SessionId.of("a"), new StoredCheckpoint(14, new byte[] {9}));
        }
        CommandRun run = cli.run("verify", "a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("a: not sound", "  fault: checkpoint, session a: ");

        cli.done("rebuild", "a");

        assertThat(cli.done("verify", "a").out()).isEqualTo("a: sound, 14 events\n");
    }

    @Test
    void an_unknown_session_is_refused() {
        assertThat(cli.failed("rebuild", "c").err()).contains("no session \"c\"");
    }

    @Test
    void takes_either_a_session_or_all() {
        assertThat(cli.run("rebuild").exitCode()).isEqualTo(2);
        assertThat(cli.run("rebuild", "a", "--all").exitCode()).isEqualTo(2);
    }
}
