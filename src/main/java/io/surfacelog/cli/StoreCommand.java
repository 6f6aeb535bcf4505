package io.surfacelog.cli;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command on a database that has to be there. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        exitCodeListHeading = ExitCodes.HEADING,
        exitCodeList = {ExitCodes.DONE, ExitCodes.FAILED, ExitCodes.USAGE})
abstract class StoreCommand implements Callable<Integer> {

    private final Console console;
    private final Database database;

    @Spec
    private @Nullable CommandSpec spec;

    StoreCommand(Console console, Database database) {
        this.console = console;
        this.database = database;
    }

    @Override
    public final Integer call() throws IOException {
        checkUsage();
        try (Standalone store = database.open(IfAbsent.REFUSE);
                Output out = console.output()) {
            return run(store, out) ? 0 : 1;
        }
    }

    /** Refuses options that do not go together, before the database is opened. */
    void checkUsage() {}

    /**
     * Does the work.
     *
     * @return whether all is well
     */
    abstract boolean run(Standalone store, Output out) throws IOException;

    final Console console() {
        return console;
    }

    final ParameterException wrongUsage(String sentence) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), sentence);
    }
}
