package io.surfacelog.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The database that the command line names, one for all commands; a command opens it when it is called. */
final class Database {

    @Option(
            names = "--db",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "The database of commands that use one (default: what surfacelog.sqlite.path says, and"
                    + " data/surfacelog.db if nothing does).")
    private @Nullable String file;

    /** Opens it, and makes it if there is none; whoever asks closes it. */
    Standalone open() {
        return open(IfAbsent.CREATE);
    }

    /** Opens it, and makes it if there is none, and serves it on this port; whoever asks closes it. */
    Standalone serve(@Nullable Integer port) {
        return Standalone.serve(file == null ? null : Arguments.file(file), port);
    }

    /** Opens it; whoever asks closes it. */
    Standalone open(IfAbsent ifAbsent) {
        return Standalone.open(file == null ? null : Arguments.file(file), ifAbsent);
    }
}
