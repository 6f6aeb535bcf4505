package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What was imported is exported again, field for field. */
class RoundTripTest {

    @TempDir
    Path folder;

    /** The header but for its id, and every event: as values, and data as it is written. */
    static void sameEvents(Path imported, Path exported) {
        Cli.Read before = Cli.read(imported);
        Cli.Read after = Cli.read(exported);
        assertThat(after.header().withId(before.header().id())).isEqualTo(before.header());
        assertThat(texts(after.events())).isEqualTo(texts(before.events()));
    }

    static List<String> texts(List<EventCandidate> events) {
        SurfacePlanner planner = Surface.empty().planner(new SurfaceRules(EventTypes.any(), StructureMode.OFF));
        return events.stream().map(event -> planner.fold(event).toText()).toList();
    }

    @Test
    void of_generated_logs() throws IOException {
        Map<String, List<SessionEvent>> logs = new TreeMap<>();
        List<Object> args = new ArrayList<>(List.of("import"));
        Seeds.forEach(60, seed -> {
            String id = "seed-" + seed;
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            logs.put(id, log);
            args.add(
                    seed % 3 == 0
                            ? LogFile.packed(folder.resolve(id + ".jsonl"), id, log)
                            : LogFile.of(id, log).in(folder, id + ".jsonl"));
        });
        Cli cli = Cli.in(folder);

        assertThat(cli.done(args.toArray()).out().lines()).hasSize(logs.size());

        try (Standalone store = Standalone.open(cli.database(), IfAbsent.REFUSE)) {
            logs.forEach((id, log) -> {
                Path exported = export(store, SessionId.of(id), folder.resolve(id + ".exported"));
                assertThat(texts(Cli.read(exported).events()))
                        .as(id)
                        .isEqualTo(log.stream().map(SessionEvent::toText).toList());
                assertThat(store.verifier().verify(SessionId.of(id)).isSound())
                        .as(id)
                        .isTrue();
            });
        }
    }

    private static Path export(Standalone store, SessionId id, Path exported) {
        try {
            ExportCommand.write(
                    store.store(), store.store().find(id).orElseThrow(), false, Files.newOutputStream(exported));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return exported;
    }

    @Test
    void of_an_export_byte_for_byte() throws IOException {
        Cli cli = Cli.in(folder);
        List<SessionEvent> log = SessionGenerator.any(4).log(200);
        cli.done("import", LogFile.of("one", log).in(folder));
        Path first = folder.resolve("first.jsonl");
        cli.done("export", "one", "--output", first);
        Cli other = new Cli(folder.resolve("other.db"));

        other.done("import", first);

        assertThat(other.done("export", "one").out()).isEqualTo(Files.readString(first));
    }

    @Test
    void of_the_sample_session_byte_for_byte() throws IOException {
        Path sample = folder.resolve("sample.jsonl");
        try (InputStream in = Objects.requireNonNull(Surfacelog.class.getResourceAsStream("sample-session.jsonl"))) {
            Files.copy(in, sample);
        }
        Cli cli = Cli.in(folder);
        cli.done("import", sample);

        assertThat(cli.done("export", "sample-parcel-support").out())
                .isEqualTo(Files.readString(sample, StandardCharsets.UTF_8));
    }

    @TestFactory
    Stream<DynamicTest> of_every_real_log() throws IOException {
        Path logs = SharedFolder.realLogs();
        JsonObject expected = SharedFolder.json(logs.resolve("expected.json"));
        assertThat(expected.size()).isEqualTo(28);
        return expected.names().stream()
                .map(name -> DynamicTest.dynamicTest(
                        name,
                        () -> roundTrip(
                                logs.resolve(name), expected.object(name).orElseThrow())));
    }

    private void roundTrip(Path log, JsonObject expected) throws IOException {
        String text = Files.readString(log, StandardCharsets.UTF_8).replace("{{cwd}}", "/workspace");
        Path file = LogFile.write(folder.resolve(log.getFileName()), text);
        SessionId id = Cli.read(file).header().id();
        // some share an id
        Cli cli = new Cli(folder.resolve(log.getFileName() + ".db"));
        cli.done("import", file);

        try (Standalone store = Standalone.open(cli.database(), IfAbsent.REFUSE)) {
            sameEvents(file, export(store, id, folder.resolve("exported")));
            Surface surface = store.queries().surface(id);
            assertThat(surface.nextSeq())
                    .isEqualTo(expected.longValue("storedEvents").orElseThrow());
            assertThat(surface.generation())
                    .isEqualTo(expected.longValue("replaceGeneration").orElseThrow());
            assertThat(SurfaceJson.seqs(surface.nodeSeqs()))
                    .isEqualTo(expected.array("surface").orElse(JsonArray.EMPTY));
            assertThat(SurfaceJson.array(surface.messages(), message -> JsonString.of(ShortForm.of(message))))
                    .isEqualTo(expected.array("messages").orElse(JsonArray.EMPTY));
            assertThat(store.commands().recover(id).events())
                    .hasSize(expected.array("closers").orElse(JsonArray.EMPTY).size());
            assertThat(store.verifier().verify(id).faults()).isEmpty();
        }
    }
}
