package io.surfacelog.provider;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Folds logs of files and hands out the surface after each event. */
final class Logs {

    private Logs() {}

    /**
     * The surface after each event that is admitted, up to the first that is not; only those after which a request could
     * be another one.
     */
    static void prefixes(Path file, Path folder, Consumer<Surface> each) throws IOException {
        // recorded logs name their working directory only by a placeholder
        String text =
                new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).replace("{{cwd}}", "/workspace");
        Path copy = Files.write(folder.resolve("log.jsonl"), text.getBytes(StandardCharsets.ISO_8859_1));
        SurfacePlanner planner = Surface.empty().planner(SurfaceRules.standard());
        try (JsonlReader reader = JsonlReader.open(copy, EventLimits.defaults())) {
            for (@Nullable JsonlLine line = reader.next(); line != null; line = reader.next()) {
                line.events().forEach(candidate -> {
                    SessionEvent event = planner.fold(candidate);
                    if (event.isSurface() || event.type().equals(EventType.REQUEST_HEADER)) {
                        each.accept(planner.surface());
                    }
                });
            }
        } catch (AdmissionException refused) {
            // what precedes a fault is a surface like any other
            each.accept(planner.surface());
        }
    }

    static Surface fold(List<SessionEvent> log) {
        return Surface.empty().plan(log).after();
    }
}
