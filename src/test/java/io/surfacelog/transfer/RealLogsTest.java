package io.surfacelog.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Logs that another implementation has recorded and packed. */
class RealLogsTest {

    @Test
    void are_read_whole_and_written_back_line_for_line() throws IOException {
        Path folder = SharedFolder.realLogs();
        JsonObject expected =
                (JsonObject) Json.parse(Files.readString(folder.resolve("expected.json"), StandardCharsets.UTF_8));
        assertThat(expected.names()).isNotEmpty();
        for (String name : expected.names()) {
            byte[] file = Files.readAllBytes(folder.resolve(name));
            JsonObject answer = (JsonObject) Objects.requireNonNull(expected.get(name));

            ReadLog log = ReadLog.of(file);

            assertThat(log.verdict()).as(name).isEqualTo("ok");
            assertThat(log.events()).as(name).hasSize((int)
                    answer.longValue("storedEvents").orElseThrow());
            // by value: that implementation has another order of sources and marker in the envelope
            assertThat(lines(log.rewritten())).as(name).isEqualTo(lines(file));
        }
    }

    private static List<Json> lines(byte[] file) {
        String text = new String(file, StandardCharsets.UTF_8);
        return Stream.of(text.strip().split("\n", -1)).map(Json::parse).toList();
    }
}
