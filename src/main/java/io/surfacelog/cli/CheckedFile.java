package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.StructureException;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import io.surfacelog.transfer.MarkerStamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks one log file. It is read line by line and never held; what recovery needs besides the surface is read from the
 * file a second time.
 */
final class CheckedFile implements LogReader {

    private final Path path;
    private final CheckSettings settings;
    private final @Nullable MarkerStamp stamp;

    private CheckedFile(Path path, CheckSettings settings) throws IOException {
        this.path = path;
        this.settings = settings;
        this.stamp = settings.stampMarkers() ? survey(path, settings) : null;
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
            return new CheckedFile(path, settings).fold();
        } catch (AdmissionException e) {
            return CheckAnswer.refused(e);
        }
    }

    private static MarkerStamp survey(Path path, CheckSettings settings) throws IOException {
        try (JsonlReader reader = JsonlReader.open(path, settings.limits())) {
            return MarkerStamp.survey(reader);
        }
    }

    private CheckAnswer fold() throws IOException {
        CheckedLog checked = new CheckedLog(settings);
        try (JsonlReader reader = JsonlReader.open(path, settings.limits())) {
            for (JsonlLine line = next(reader); line != null; line = next(reader)) {
                for (EventCandidate candidate : line.events()) {
                    try {
                        checked.add(candidate);
                    } catch (AdmissionException e) {
                        throw e.line(line.number());
                    } catch (StructureException e) {
                        return CheckAnswer.refused(e, OptionalLong.of(line.number()));
                    }
                }
            }
            return checked.answer(this)
                    .withBytes(reader.tail().keptBytes(), reader.tail().tornBytes());
        }
    }

    private @Nullable JsonlLine next(JsonlReader reader) throws IOException {
        JsonlLine line = reader.next();
        return line == null || stamp == null ? line : stamp.apply(line);
    }

    @Override
    public void forEach(long from, long to, Consumer<SessionEvent> action) {
        CheckedLog again = new CheckedLog(settings);
        try (JsonlReader reader = JsonlReader.open(path, settings.limits())) {
            for (JsonlLine line = next(reader); line != null && line.firstIndex() < to; line = next(reader)) {
                for (EventCandidate candidate : line.events()) {
                    SessionEvent event = again.add(candidate);
                    if (event.seq() >= from && event.seq() < to) {
                        action.accept(event);
                    }
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
