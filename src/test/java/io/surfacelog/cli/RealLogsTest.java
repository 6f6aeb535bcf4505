package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventLimits;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import io.surfacelog.testing.SharedFolder;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Logs that a real agent wrote, against what the implementation that wrote them makes of them. */
class RealLogsTest {

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> every_real_log_gives_the_recorded_surface() throws IOException {
        Path logs = SharedFolder.realLogs();
        JsonObject expected = SharedFolder.json(logs.resolve("expected.json"));
        assertThat(expected.size()).isEqualTo(28);
        return expected.names().stream()
                .map(name -> DynamicTest.dynamicTest(
                        name,
                        () -> check(
                                withDirectory(logs.resolve(name)),
                                expected.object(name).orElseThrow())));
    }

    /** The logs name their working directory only by a placeholder. */
    private Path withDirectory(Path log) throws IOException {
        String text = Files.readString(log).replace("{{cwd}}", "/workspace");
        return Files.writeString(folder.resolve(log.getFileName()), text);
    }

    private static void check(Path file, JsonObject expected) throws IOException {
        CommandRun run = CommandRun.of("check", "--no-salvage-text", "--no-orphan-answers", file.toString());

        JsonObject answer = run.answer();
        assertThat(answer.isTrue("ok")).as(run.out()).isTrue();
        assertThat(answer.get("events")).isEqualTo(expected.get("storedEvents"));
        assertThat(answer.get("generation")).isEqualTo(expected.get("replaceGeneration"));
        assertThat(answer.get("nodes")).isEqualTo(expected.array("surface").orElse(JsonArray.EMPTY));
        assertThat(answer.get("closers")).isEqualTo(expected.array("closers").orElse(JsonArray.EMPTY));
        assertThat(answer.get("recovered"))
                .isEqualTo(JsonObject.builder()
                        .put("nodes", answer.get("nodes"))
                        .put("generation", answer.get("generation"))
                        .put("messageSeqs", answer.get("messageSeqs"))
                        .build());
        assertThat(answer.get("findings")).isEqualTo(JsonArray.EMPTY);
        assertThat(messages(file)).isEqualTo(expected.array("messages").orElse(JsonArray.EMPTY));
        assertThat(run.exitCode()).isZero();
    }

    private static JsonArray messages(Path file) throws IOException {
        SurfacePlanner planner = Surface.empty().planner(SurfaceRules.standard());
        try (JsonlReader reader = JsonlReader.open(file, EventLimits.defaults())) {
            for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
                line.events().forEach(planner::fold);
            }
        }
        return JsonArray.of(planner.surface().messages().stream()
                .map(ShortForm::of)
                .map(JsonString::of)
                .toList());
    }
}
