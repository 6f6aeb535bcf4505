package io.surfacelog.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether a stream of this process is a terminal, of which Java only speaks when all of them are. */
final class Terminal {

    private Terminal() {}

    /** Whether standard error is one. */
    static boolean isStandardError() {
        Path descriptor = Path.of("/proc/self/fd/2");
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException noProc) {
            return picocli.CommandLine.Help.Ansi.AUTO.enabled();
        }
    }
}
