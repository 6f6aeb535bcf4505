package io.surfacelog.transfer;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Inputs that are shared between projects and not part of this one: under the system property {@code surfacelog.shared},
 * else beside the project. Tests that need them are skipped, and say so, where there are none.
 */
final class SharedFiles {

    private static final Path ROOT = Path.of(System.getProperty("surfacelog.shared", "../shared"));

    private SharedFiles() {}

    static byte[] bugCase(String name) throws IOException {
        return Files.readAllBytes(present(ROOT.resolve("bugcases").resolve(name)));
    }

    /** The folder of recorded logs, of which {@code expected.json} says what they hold. */
    static Path realLogs() {
        return present(ROOT.resolve("data").resolve("dsh"));
    }

    private static Path present(Path file) {
        boolean present = Files.exists(file);
        if (!present) {
            System.out.println(
                    "skipped: " + file + " is absent; -Dsurfacelog.shared=… says where the shared files are");
        }
        assumeTrue(present, file + " is absent");
        return file;
    }
}
