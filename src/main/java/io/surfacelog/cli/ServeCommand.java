package io.surfacelog.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code serve}: the sessions of a database over HTTP, until the process is ended. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Serves the sessions of a database over HTTP, which is made if there is none, until Ctrl-C.",
            "For clients on this machine only, unless server.address and surfacelog.web.token say otherwise."
        })
final class ServeCommand implements Callable<Integer> {

    private final Console console;
    private final Database database;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port; 0 for a free one (default: what server.port says, and 8080 if nothing does).")
    private @Nullable Integer port;

    ServeCommand(Console console, Database database) {
        this.console = console;
        this.database = database;
    }

    @Override
    public Integer call() {
        serve(port);
        return CommandLine.ExitCode.OK;
    }

    /** On the usual port, or on a free one where that is taken: nobody has asked for a certain one. */
    void serveWhereThereIsRoom() {
        try {
            serve(null);
        } catch (PortTakenException e) {
            serve(0);
        }
    }

    private void serve(@Nullable Integer wanted) {
        try (Standalone standalone = database.serve(wanted)) {
            standalone.page().ifPresent(page -> console.line("Page:     " + page));
            console.line("Serving:  " + standalone.address() + ", until Ctrl-C");
            standalone.awaitEnd();
        }
    }
}
