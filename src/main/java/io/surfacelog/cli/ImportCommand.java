package io.surfacelog.cli;

import io.surfacelog.command.Appended;
import io.surfacelog.command.CommandException;
import io.surfacelog.command.CreateSession;
import io.surfacelog.command.SessionExistsException;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Finding;
import io.surfacelog.transfer.JsonlTail;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
            "Takes log files (JSONL) into the database, each of them whole or not at all, and prints one line for each.",
            "A file that is refused is named on standard error with line, rule and event; the others go on."
        },
        exitCodeListHeading = ExitCodes.HEADING,
        exitCodeList = {
            "0:every file was imported",
            "1:a file was refused, or the database cannot be used; standard error says why",
            ExitCodes.USAGE
        })
final class ImportCommand implements Callable<Integer> {

    private static final int FINDINGS_SHOWN = 3;

    private final Console console;
    private final Database database;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Log files.")
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

    ImportCommand(Console console, Database database) {
        this.console = console;
        this.database = database;
    }

    @Override
    public Integer call() {
        if (as != null && files.size() > 1) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--as names one session, so it takes one file, found " + files.size() + ".");
        }
        boolean all = true;
        try (ImportTarget target = new ImportTarget(database)) {
            for (String file : files) {
                all &= imported(file, target);
            }
        }
        return all ? 0 : 1;
    }

    /** A store that fails ends the command; a file that fails does not. */
    private boolean imported(String name, ImportTarget target) {
        try (InputFile file = InputFile.of(name)) {
            console.line(imported(name, file, target));
            return true;
        } catch (AdmissionException e) {
            console.say(name + ": refused by " + e.rule().code() + place(e) + ": " + e.detail()
                    + "; nothing of it was imported.");
        } catch (SessionExistsException e) {
            console.say(name + ": there is a session " + SessionIdArgument.typed(e.session())
                    + " already; nothing was imported, --as gives it another id.");
        } catch (CommandException e) {
            console.say(name + ": " + Failure.sentence(e));
        } catch (InvalidPathException e) {
            console.say("There is no file of such a name: " + e.getReason() + ".");
        } catch (IOException e) {
            console.say(Failure.sentence(name, e));
        }
        return false;
    }

    private static String place(AdmissionException e) {
        String line = e.line().isPresent() ? "line " + e.line().getAsLong() : "";
        String event = e.at().isPresent() ? "event " + e.at().getAsLong() : "";
        return line.isEmpty() && event.isEmpty()
                ? ""
                : " at " + line + (line.isEmpty() || event.isEmpty() ? "" : ", ") + event;
    }

    private String imported(String name, InputFile file, ImportTarget target) throws IOException {
        try (ProgressBar bar = new ProgressBar(console, name, file.size())) {
            IncomingLog.Rules rules = new IncomingLog.Rules(
                    EventTypes.standard().with(target.store().declaredTypes()),
                    target.limits(),
                    keepUnknown,
                    stampMarkers);
            IncomingLog log =
                    IncomingLog.read(file.path(), rules, header -> refuseKnown(named(header), target), bar::at);
            bar.says("is being stored");
            return stored(name, log, target);
        }
    }

    private SessionHeader named(SessionHeader header) {
        return as == null ? header : header.withId(as);
    }

    private static void refuseKnown(SessionHeader header, ImportTarget target) {
        if (target.store().find(header.id()).isPresent()) {
            throw new SessionExistsException(header.id());
        }
    }

    private String stored(String name, IncomingLog log, ImportTarget target) {
        ImportTarget ready = target.ready();
        if (!log.undeclared().isEmpty()) {
            // first, since a session whose types are not declared could not be read again
            ready.store().declare(log.undeclared());
        }
        Appended stored;
        try {
            stored = ready.commands().create(CreateSession.imported(named(log.header()), log.events(), log.types()));
        } catch (AdmissionException e) {
            throw log.placed(e);
        }
        JsonlTail tail = log.tail();
        if (tail.isTorn()) {
            console.say(name + ": the last " + tail.tornBytes() + " bytes, from byte " + tail.keptBytes()
                    + " on, are a torn record and were left out; kept: " + Preview.count(stored.nextSeq(), "event")
                    + ".");
        }
        return SessionIdArgument.typed(stored.session()) + ": " + Preview.count(stored.nextSeq(), "event") + ", "
                + Preview.count(log.surface().nodes().size(), "node")
                + findings(log.surface().findings());
    }

    private static String findings(List<Finding> findings) {
        if (findings.isEmpty()) {
            return "";
        }
        return ", " + Preview.count(findings.size(), "finding") + ": "
                + findings.stream()
                        .limit(FINDINGS_SHOWN)
                        .map(finding -> finding.rule().code() + " at event " + finding.seq())
                        .collect(Collectors.joining(", "))
                + (findings.size() > FINDINGS_SHOWN ? ", …" : "");
    }
}
