package io.surfacelog.cli;

import io.surfacelog.event.SessionId;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code import}: takes log files into the store, each of them whole or not at all. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Takes log files (JSONL, plain or Zstandard) into the database, each of them whole or not at all, and prints one"
                    + " line for each. Of a folder, all log files in it and below it.",
            "A file that is refused is named on standard error with line, rule and event; the others go on."
        },
        exitCodeListHeading = ExitCodes.HEADING,
        exitCodeList = {
            "0:every file was imported",
            "1:a file was refused, or the database cannot be used; standard error says why",
            ExitCodes.USAGE
        })
final class ImportCommand implements Callable<Integer> {

    private final Console console;
    private final Database database;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE|DIR", description = "Log files, and folders of them.")
    private List<String> files = List.of();

    @Option(
            names = "--as",
            paramLabel = "ID",
            converter = SessionIdArgument.class,
            description = "Another id for the session; for one file only. json:\"…\" as for SESSION elsewhere.")
    private @Nullable SessionId as;

    @Option(
            names = "--keep-unknown",
            description = "Keep events of undeclared types as opaque log-only ones, and record the types as declared.")
    private boolean keepUnknown;

    @Option(
            names = "--stamp-markers",
            description = "Give a log without any marker one on every surface event, in log order.")
    private boolean stampMarkers;

    @Option(
            names = "--salvage",
            description = {
                "Import of a damaged file what precedes the damage, and list what is left out.",
                "Nothing is changed in the file."
            })
    private boolean salvage;

    ImportCommand(Console console, Database database) {
        this.console = console;
        this.database = database;
    }

    @Override
    public Integer call() {
        if (as != null && (files.size() > 1 || folder(files.get(0)).isPresent())) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--as names one session, so it takes one file, found "
                            + (files.size() > 1 ? files.size() + "." : "a folder."));
        }
        boolean all = true;
        List<LogTree> trees = new ArrayList<>();
        try (ImportTarget target = new ImportTarget(database)) {
            FileImport each =
                    new FileImport(console, target, new FileImport.Options(as, keepUnknown, stampMarkers, salvage));
            for (String file : files) {
                Optional<Path> folder = folder(file);
                folder.map(LogTree::of).ifPresent(trees::add);
                // a store that fails ends the command; a file that fails does not
                all &= folder.isPresent() || each.named(file);
            }
            if (!trees.isEmpty()) {
                all &= new TreeImport(console, each, target.limits(), trees).run();
            }
        }
        return all ? 0 : 1;
    }

    private static Optional<Path> folder(String name) {
        try {
            return Optional.of(Arguments.file(name)).filter(Files::isDirectory);
        } catch (InvalidPathException isToldByTheImport) {
            return Optional.empty();
        }
    }
}
