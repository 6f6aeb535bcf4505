package io.surfacelog.cli;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The folder of logs and cases that is kept beside the repository, at system property {@code surfacelog.shared}. */
final class Shared {

    private Shared() {}

    /** A folder in it; the calling test is skipped, saying why, where there is none. */
    static Path folder(String name) {
        Path folder =
                Path.of(System.getProperty("surfacelog.shared", "../shared")).resolve(name);
        if (!Files.isDirectory(folder)) {
            String reason = "skipped: there is no folder " + folder + "; say -Dsurfacelog.shared=… where it is";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
        return folder;
    }

    static JsonObject json(Path file) throws IOException {
        return (JsonObject) Json.parse(Files.readString(file));
    }
}
