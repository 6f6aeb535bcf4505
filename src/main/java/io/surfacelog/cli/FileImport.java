package io.surfacelog.cli;

import io.surfacelog.command.CommandException;
import io.surfacelog.command.ImportSession;
import io.surfacelog.command.Imported;
import io.surfacelog.command.SessionExistsException;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Finding;
import io.surfacelog.surface.Surface;
import io.surfacelog.transfer.JsonlRest;
import io.surfacelog.transfer.JsonlTail;
import io.surfacelog.transfer.LogEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes one log file into the store, or says why not. */
final class FileImport {

    /**
     * What its user asked for.
     *
     * @param as another id for the session
     * @param keepUnknown whether undeclared types are kept as opaque log-only ones
     * @param stampMarkers whether a log older than markers gets them
     * @param salvage whether what precedes damage is imported
     */
    record Options(@Nullable SessionId as, boolean keepUnknown, boolean stampMarkers, boolean salvage) {}

    private static final int FINDINGS_SHOWN = 3;

    /** Opens the file once its verdict is asked for. */
    private interface Opening {
        InputFile open() throws IOException;
    }

    private final Console console;
    private final ImportTarget target;
    private final Options options;

    FileImport(Console console, ImportTarget target, Options options) {
        this.console = console;
        this.target = target;
        this.options = options;
    }

    /** The file of an argument; returns whether it was imported. A store that fails is thrown. */
    boolean named(String name) {
        return run(name, "", () -> InputFile.of(name));
    }

    /** A file found in a folder: what is printed of it begins with its path. */
    boolean found(Path file) {
        return run(file.toString(), ShownText.visible(file.toString()) + ": ", () -> InputFile.at(file));
    }

    private boolean run(String name, String prefix, Opening opening) {
        try (InputFile file = opening.open()) {
            console.line(prefix + imported(name, file));
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
        } catch (UncheckedIOException e) {
            console.say(Failure.sentence(name, Objects.requireNonNull(e.getCause())));
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

    private String imported(String name, InputFile file) throws IOException {
        try (ProgressBar bar = new ProgressBar(console, name, file.size())) {
            refuseKnown(file.path());
            LogEvents.Reading whole = LogEvents.Reading.of(file.path(), target.limits(), options.stampMarkers());
            EventTypes declared = EventTypes.standard().with(target.store().declaredTypes());
            // to make a database, to declare types and to leave something out, all of the file must be known
            boolean surveyed = target.isRehearsal() || options.keepUnknown() || options.salvage();
            LogSurvey survey = LogSurvey.NONE;
            if (surveyed) {
                survey = LogSurvey.of(file.path(), whole, declared, options.keepUnknown(), options.salvage(), bar::at);
                bar.says("is being stored");
            }
            EventTypes types = declared.with(survey.undeclared());
            try (LogEvents log = LogEvents.open(file.path(), survey.reading(whole), surveyed ? bytes -> {} : bar::at)) {
                Imported imported = stored(log, types);
                tellWhatIsLeftOut(name, log, survey.damage(), imported);
                return summary(imported);
            }
        }
    }

    private void refuseKnown(Path file) throws IOException {
        LogEvents.Reading header = new LogEvents.Reading(target.limits(), null, 1);
        try (LogEvents log = LogEvents.open(file, header, bytes -> {})) {
            SessionId id = named(log.header()).id();
            if (target.store().find(id).isPresent()) {
                throw new SessionExistsException(id);
            }
        }
    }

    private SessionHeader named(SessionHeader header) {
        SessionId as = options.as();
        return as == null ? header : header.withId(as);
    }

    private Imported stored(LogEvents log, EventTypes types) {
        try {
            return target.ready().commands().importLog(new ImportSession(named(log.header()), log, types));
        } catch (AdmissionException e) {
            throw LogSurvey.placed(e, log);
        }
    }

    private void tellWhatIsLeftOut(String name, LogEvents log, LogSurvey.@Nullable Damage damage, Imported imported) {
        String kept = "; kept: " + Preview.count(imported.events(), "event") + ".";
        if (damage != null) {
            AdmissionException e = damage.refusal();
            JsonlRest rest = damage.rest();
            console.say(name + ": damaged, " + e.rule().code() + place(e) + ": " + e.detail() + "; left out: "
                    + (rest.lines().isPresent() ? Preview.count(rest.lines().getAsLong(), "line") + ", " : "")
                    + "everything from line " + rest.firstLine() + " on, "
                    + Preview.count(rest.bytes(), "byte") + " from byte " + rest.offset() + " on" + kept);
            return;
        }
        JsonlTail tail = log.tail();
        if (tail.isTorn()) {
            console.say(name + ": the last " + tail.tornBytes() + " bytes, from byte " + tail.keptBytes()
                    + " on, are "
                    + (tail.inFrame()
                            ? "a torn frame, of which only complete records were taken"
                            : "a torn record and were left out")
                    + kept);
        }
    }

    private String summary(Imported imported) {
        Surface surface = target.queries().surface(imported.session());
        return SessionIdArgument.typed(imported.session()) + ": " + Preview.count(imported.events(), "event") + ", "
                + Preview.count(surface.nodes().size(), "node") + findings(surface.findings());
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
