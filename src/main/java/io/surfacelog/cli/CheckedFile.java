package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.StructureException;
import io.surfacelog.transfer.JsonlRest;
import io.surfacelog.transfer.LogEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Checks one log file. It is read line by line and never held; what recovery needs besides the surface is read from the
 * file a second time.
 */
final class CheckedFile implements LogReader {

    private final Path path;
    private final CheckSettings settings;
    private final LogEvents.Reading reading;

    private CheckedFile(Path path, CheckSettings settings, LogEvents.Reading reading) {
        this.path = path;
        this.settings = settings;
        this.reading = reading;
    }

    /** The verdict on the file of this name; a file that cannot be read gets one too. */
    static CheckAnswer check(String name, CheckSettings settings) {
        try (InputFile file = InputFile.of(name)) {
            return answer(file.path(), settings);
        } catch (InvalidPathException e) {
            return CheckAnswer.unreadable("There is no file of such a name: " + e.getReason() + ".");
        } catch (IOException e) {
            return CheckAnswer.unreadable(Failure.sentence(name, e));
        } catch (UncheckedIOException e) {
            return CheckAnswer.unreadable(Failure.sentence(name, Objects.requireNonNull(e.getCause())));
        }
    }

    private static CheckAnswer answer(Path path, CheckSettings settings) throws IOException {
        try {
            LogEvents.Reading whole = LogEvents.Reading.of(path, settings.limits(), settings.stampMarkers());
            return new CheckedFile(path, settings, whole).fold();
        } catch (AdmissionException e) {
            return CheckAnswer.refused(e);
        }
    }

    private CheckAnswer fold() throws IOException {
        CheckedLog checked = new CheckedLog(settings);
        try (LogEvents log = LogEvents.open(path, reading, bytes -> {})) {
            try {
                while (log.hasNext()) {
                    checked.add(log.next());
                }
            } catch (AdmissionException e) {
                return refused(CheckAnswer.refused(LogSurvey.placed(e, log)), log);
            } catch (StructureException e) {
                return refused(CheckAnswer.refused(e, OptionalLong.of(log.line())), log);
            }
            return checked.answer(this)
                    .withBytes(log.tail().keptBytes(), log.tail().tornBytes());
        }
    }

    private CheckAnswer refused(CheckAnswer refusal, LogEvents log) throws IOException {
        return settings.salvage() ? salvaged(refusal, log.leaveOut()) : refusal;
    }

    private CheckAnswer salvaged(CheckAnswer refusal, JsonlRest rest) throws IOException {
        CheckedLog checked = new CheckedLog(settings);
        CheckedFile before = new CheckedFile(path, settings, reading.without(rest));
        try (LogEvents log = LogEvents.open(path, before.reading, bytes -> {})) {
            log.forEachRemaining(checked::add);
        }
        return checked.answer(before).withBytes(rest.offset(), rest.bytes()).leavingOut(refusal, rest);
    }

    @Override
    public void forEach(long from, long to, Consumer<SessionEvent> action) {
        CheckedLog again = new CheckedLog(settings);
        try (LogEvents log = LogEvents.open(path, reading, bytes -> {})) {
            long next = 0;
            while (next < to && log.hasNext()) {
                SessionEvent event = again.add(log.next());
                next = event.seq() + 1;
                if (event.seq() >= from && event.seq() < to) {
                    action.accept(event);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void forEachButChunks(long from, long to, Consumer<SessionEvent> action) {
        forEach(from, to, event -> {
            if (!event.type().equals(EventType.ASSISTANT_CHUNK)) {
                action.accept(event);
            }
        });
    }
}
