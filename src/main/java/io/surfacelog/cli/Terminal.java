package io.surfacelog.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether a stream of this process is a terminal, of which Java only speaks when all of them are. */
final class Terminal {

    private Terminal() {}

    /** Whether standard error is one. */
    static boolean isStandardError() {
        return is(2);
    }

    /** Whether standard input and output both are. */
    static boolean isStandardInputAndOutput() {
        return is(0) && is(1);
    }

    private static boolean is(int number) {
        Path descriptor = Path.of("/proc/self/fd/" + number);
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException noProc) {
            return picocli.CommandLine.Help.Ansi.AUTO.enabled();
        }
    }
}
