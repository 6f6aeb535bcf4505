package io.surfacelog.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code acp}: an agent for an editor that speaks the Agent Client Protocol over standard input and output. */
@Command(
        name = "acp",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Serves a client, such as an editor, that speaks the Agent Client Protocol over standard input and output.",
            "Sessions are kept in the database. Ends when the client does."
        },
        exitCodeListHeading = ExitCodes.HEADING,
        exitCodeList = {ExitCodes.DONE, ExitCodes.FAILED, ExitCodes.USAGE})
final class AcpCommand implements Callable<Integer> {

    private final Console console;
    private final Database database;

    @Option(names = "--model", paramLabel = "NAME", description = ChatModel.HELP)
    private @Nullable String model;

    AcpCommand(Console console, Database database) {
        this.console = console;
        this.database = database;
    }

    @Override
    public Integer call() throws IOException {
        try (Standalone standalone = database.open();
                ChatModel asked = ChatModel.of(standalone, model)) {
            AcpOutput out = new AcpOutput(console.output());
            AcpAgent agent = new AcpAgent(
                    standalone.agents(),
                    standalone.queries(),
                    standalone.stream(),
                    asked.profile(),
                    new AcpCompaction(standalone.compactions()),
                    out,
                    Version.number());
            new AcpConnection(new AcpInput(console.in()), out).serve(agent);
            return 0;
        }
    }
}
