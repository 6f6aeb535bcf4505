package io.surfacelog.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteSettingsTest {

    private final SqliteSettings settings = SqliteSettings.defaults();

    @Test
    void are_durable_and_patient_unless_told() {
        assertThat(settings)
                .isEqualTo(new SqliteSettings(
                        Path.of("data", "surfacelog.db"),
                        SqliteSettings.Synchronous.FULL,
                        Duration.ofSeconds(5),
                        4,
                        4_096));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 256, 1_000, 131_072, -512})
    void refuse_a_page_size_that_sqlite_has_not(int size) {
        assertThatThrownBy(() -> settings.pageSize(size)).hasMessageContaining("" + size);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65})
    void refuse_a_pool_without_connections_or_too_many(int connections) {
        assertThatThrownBy(() -> settings.readConnections(connections)).hasMessageContaining("" + connections);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 600_001})
    void refuse_a_busy_timeout_out_of_range(long millis) {
        assertThatThrownBy(() -> settings.busyTimeout(Duration.ofMillis(millis)))
                .hasMessageContaining("0 to 10 minutes");
    }
}
