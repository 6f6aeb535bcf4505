package io.surfacelog.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The program in the executable jar.
 *
 * <pre>
 * java -jar surfacelog-exec.jar --version
 * </pre>
 *
 * <p>Not for applications: those inject the library's beans and never need this class.
 */
@Command(
        name = "surfacelog",
        description = "An event-sourced session log for AI agents.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Surfacelog implements Runnable {

    private Surfacelog() {}

    /**
     * Runs one command and ends the process with its exit code: 0 done, 1 failed, 2 wrong usage.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Surfacelog());
    }

    @Override
    public void run() {
        commandLine().printVersionHelp(System.out);
    }
}
