package io.surfacelog.testing;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * The folder of logs and cases that is kept beside the project and is not part of it: at the system property {@code
 * surfacelog.shared}, else {@code ../shared}. A test that needs it is skipped, and says so, where there is none.
 */
public final class SharedFolder {

    private static final Path ROOT = Path.of(System.getProperty("surfacelog.shared", "../shared"));

    private SharedFolder() {}

    /** The folder of recorded logs, of which {@code expected.json} says what they hold. */
    public static Path realLogs() {
        return present(ROOT.resolve("data").resolve("dsh"));
    }

    /** The folder of reported faults. */
    public static Path bugCases() {
        return present(ROOT.resolve("bugcases"));
    }

    /** The bytes of one reported fault's input. */
    public static byte[] bugCase(String name) throws IOException {
        return Files.readAllBytes(bugCases().resolve(name));
    }

    /** A file that holds one JSON object. */
    public static JsonObject json(Path file) throws IOException {
        return (JsonObject) Json.parse(Files.readString(file));
    }

    private static Path present(Path folder) {
        if (!Files.isDirectory(folder)) {
            String reason = "skipped: there is no folder " + folder + "; say -Dsurfacelog.shared=… where it is";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
        return folder;
    }
}
