package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ProgressBarTest {

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Console console(boolean watched) {
        return new Console(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(new ByteArrayOutputStream()),
                new PrintStream(err),
                watched);
    }

    private String drawn() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void is_drawn_in_place_and_taken_away() {
        try (ProgressBar bar = new ProgressBar(console(true), "a\u001b[31m.jsonl", 4 << 20)) {
            bar.at(1 << 20);
            assertThat(drawn()).isEmpty();
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                bar.at(1 << 20);
                return !drawn().isEmpty();
            });
        }

        assertThat(drawn())
                .startsWith("\ra␛[31m.jsonl [######..................]  25 % of 4.0 MiB")
                .endsWith(" \r")
                .doesNotContain("\n", "\u001b");
    }

    @Test
    void is_not_drawn_where_nobody_watches() {
        try (ProgressBar bar = new ProgressBar(console(false), "a.jsonl", 4 << 20)) {
            long end = System.nanoTime() + Duration.ofMillis(600).toNanos();
            while (System.nanoTime() < end) {
                bar.at(1 << 20);
            }
            bar.says("is being stored");
        }

        assertThat(drawn()).isEmpty();
    }
}
