package io.surfacelog.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The program in the executable jar.
 *
 * <pre>
 * java -jar surfacelog-exec.jar check session.jsonl
 * </pre>
 *
 * <p>Not for applications: those inject the library's beans and never need this class.
 */
@Command(
        name = "surfacelog",
        description = {
            "An event-sourced session log for AI agents.",
            "Without a command it imports a sample session and shows what the model sees of it."
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.class)
public final class Surfacelog implements Callable<Integer> {

    private final SampleRun withoutCommand;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "On a failure, print the stack trace besides the sentence.")
    private boolean debug;

    private Surfacelog(SampleRun withoutCommand) {
        this.withoutCommand = withoutCommand;
    }

    /**
     * Runs one command and ends the process with its exit code: 0 done, 1 failed, 2 wrong usage.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        System.exit(commandLine(Console.ofProcess()).execute(Arguments.typed(args)));
    }

    /**
     * The commands. A command that needs the store starts Spring when it is called, never when it is made: those that
     * need none have to start at once.
     */
    static CommandLine commandLine(Console console) {
        Database database = new Database();
        Surfacelog root = new Surfacelog(new SampleRun(console, database));
        return new CommandLine(root)
                .addMixin("database", database)
                .addSubcommand(new ImportCommand(console, database))
                .addSubcommand(new ChatCommand(console, database))
                .addSubcommand(new ExportCommand(console, database))
                .addSubcommand(new ListCommand(console, database))
                .addSubcommand(new ShowCommand(console, database))
                .addSubcommand(new TailCommand(console, database))
                .addSubcommand(new MessagesCommand(console, database))
                .addSubcommand(new SurfaceCommand(console, database))
                .addSubcommand(new ExplainCommand(console, database))
                .addSubcommand(new RecoverCommand(console, database))
                .addSubcommand(new CompactCommand(console, database))
                .addSubcommand(new ForkCommand(console, database))
                .addSubcommand(new DeleteCommand(console, database))
                .addSubcommand(new EraseCommand(console, database))
                .addSubcommand(new ReclaimCommand(console, database))
                .addSubcommand(new VerifyCommand(console, database))
                .addSubcommand(new RebuildCommand(console, database))
                .addSubcommand(new CheckCommand(console))
                .addSubcommand(new AcpCommand(console, database))
                .setCaseInsensitiveEnumValuesAllowed(true)
                // an argument that begins with @ is a session or a file like any other
                .setExpandAtFiles(false)
                .setOut(console.out())
                .setErr(console.err())
                .setParameterExceptionHandler((e, args) -> {
                    e.getCommandLine()
                            .getErr()
                            .println(ShownText.visible(Failure.sentence(e)) + " See "
                                    + e.getCommandLine().getCommandSpec().qualifiedName() + " --help.");
                    return root.failed(e, e.getCommandLine(), CommandLine.ExitCode.USAGE);
                })
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println(ShownText.visible(Failure.sentence(e)));
                    return root.failed(e, command, CommandLine.ExitCode.SOFTWARE);
                });
    }

    private int failed(Exception e, CommandLine command, int exitCode) {
        if (debug) {
            e.printStackTrace(command.getErr());
        }
        return exitCode;
    }

    @Override
    public Integer call() throws IOException {
        withoutCommand.run();
        return CommandLine.ExitCode.OK;
    }
}
