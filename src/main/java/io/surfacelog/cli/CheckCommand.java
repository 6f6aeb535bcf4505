package io.surfacelog.cli;

import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.JsonString;
import io.surfacelog.provider.Provider;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.SurfaceRules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code check}: folds logs without storing them and prints one JSON object per input, in order. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Folds logs without storing them and prints one JSON object per input, in order.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:every input was accepted",
            "1:an input was refused, or a provider would refuse its request",
            "2:wrong usage"
        })
final class CheckCommand implements Callable<Integer> {

    private final Console console;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "FILE", description = "Log files (JSONL, plain or Zstandard).")
    private List<String> files = List.of();

    @Option(
            names = "--batch",
            paramLabel = "FILE|-",
            description =
                    "One case per line, {\"id\", \"sessionId\"?, \"header\"?, \"log\":[events]}; - is standard input.")
    private @Nullable String batch;

    @Option(
            names = "--structure",
            paramLabel = "off|report|enforce",
            description = "What is done with findings of the structure rules (default: report).")
    private StructureMode structure = StructureMode.REPORT;

    @Option(
            names = "--no-salvage-text",
            description = "Recovery makes no assistant message of text that was streamed but never recorded.")
    private boolean noSalvageText;

    @Option(names = "--no-orphan-answers", description = "Recovery does not answer calls of closed steps.")
    private boolean noOrphanAnswers;

    @Option(names = "--keep-unknown", description = "Events of undeclared types pass as opaque log-only records.")
    private boolean keepUnknown;

    @Option(
            names = "--stamp-markers",
            description = "A file without any marker gets one on every surface event, in log order.")
    private boolean stampMarkers;

    @Option(
            names = "--salvage",
            description = "Of a damaged file what precedes the damage is checked, as import --salvage would take it.")
    private boolean salvage;

    @Option(
            names = "--provider",
            paramLabel = "openai|anthropic|deepseek",
            description = "Renders the request for this provider: what had to be adjusted, and whether it is accepted.")
    private @Nullable Provider provider;

    CheckCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (files.isEmpty() == (batch == null)) {
            throw wrongUsage("Expected either files or --batch.");
        }
        if (batch != null && (stampMarkers || salvage)) {
            throw wrongUsage((stampMarkers ? "--stamp-markers" : "--salvage") + " is for files, not for --batch.");
        }
        return (batch == null ? checkFiles() : checkBatch(batch)) ? 0 : 1;
    }

    private ParameterException wrongUsage(String sentence) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), sentence);
    }

    private CheckSettings settings() {
        EventTypes types = keepUnknown ? EventTypes.any() : EventTypes.standard();
        return new CheckSettings(
                new SurfaceRules(types, structure),
                new RecoverySettings(!noSalvageText, !noOrphanAnswers),
                stampMarkers,
                salvage,
                EventLimits.defaults(),
                provider);
    }

    private boolean checkFiles() {
        CheckSettings settings = settings();
        boolean all = true;
        for (String file : files) {
            CheckAnswer answer = CheckedFile.check(file, settings);
            all &= answer.ok();
            if (!console.line(answer.toLine("file", JsonString.of(file)))) {
                return false;
            }
        }
        return all;
    }

    private boolean checkBatch(String source) {
        CheckSettings settings = settings();
        boolean all = true;
        try (InputStream in = open(source)) {
            InputLines lines = new InputLines(in);
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                BatchCase checked = BatchCase.check(line, settings);
                all &= checked.answer().ok();
                if (!console.line(checked.answer().toLine("id", checked.id()))) {
                    return false;
                }
            }
            return all;
        } catch (IOException e) {
            console.line(CheckAnswer.unreadable(Failure.sentence(source, e)).toLine("file", JsonString.of(source)));
            return false;
        }
    }

    private InputStream open(String source) throws IOException {
        return source.equals("-") ? console.in() : Files.newInputStream(Arguments.file(source));
    }
}
