package io.surfacelog.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The chunks of recorded logs, put together, are the messages that were recorded with them. */
class RecordedLogsTest {

    @Test
    void chunks_of_recorded_logs_assemble_to_the_recorded_messages() throws IOException {
        List<Path> logs;
        try (Stream<Path> files = Files.list(SharedFolder.realLogs())) {
            logs = files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        }
        int compared = 0;
        for (Path log : logs) {
            compared += compare(log);
        }
        assertThat(compared).isGreaterThan(40);
    }

    private static int compare(Path log) throws IOException {
        int compared = 0;
        List<JsonObject> events = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            events.add((JsonObject) Json.parse(line));
        }
        for (JsonObject event : events) {
            if (!event.string("type").orElse("").equals("assistant/message")) {
                continue;
            }
            AssistantMessage message = new AssistantMessage(event.object("data").orElseThrow());
            List<Long> cited = event.array("sourceEventSeqs").stream()
                    .flatMap(seqs -> seqs.items().stream())
                    .map(seq -> Long.parseLong(seq.toText()))
                    .toList();
            ChunkAssembly assembly = ChunkAssembly.create();
            int found = 0;
            for (JsonObject source : events) {
                if (source.string("type").orElse("").equals("assistant/chunk")
                        && cited.contains(source.longValue("seq").orElse(-1))) {
                    assembly.add(new AssistantChunk(source.object("data").orElseThrow()).chunk());
                    found++;
                }
            }
            if (found == 0 || found != cited.size() || message.interrupted()) {
                continue;
            }
            assertThat(assembly.content())
                    .as("%s, event %s", log.getFileName(), event.get("seq"))
                    .isEqualTo(message.message().content());
            assertThat(assembly.usage()).isEqualTo(message.usage());
            compared++;
        }
        return compared;
    }
}
