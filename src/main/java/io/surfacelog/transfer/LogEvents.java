package io.surfacelog.transfer;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.SessionHeader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of a log file one after the other, as an import takes them. For one thread. Memory: one line.
 *
 * <p>{@link #hasNext} and {@link #next} throw an {@link io.surfacelog.event.AdmissionException} with its line where the
 * file is refused, and an {@link UncheckedIOException} where it cannot be read on.
 */
public final class LogEvents implements Iterator<EventCandidate>, Closeable {

    /**
     * How a file is read.
     *
     * @param limits how large an event may be
     * @param stamp gives markers to a log older than markers; null to read it as it is
     * @param lastLine the line to stop after, from 1, the header
     */
    public record Reading(EventLimits limits, @Nullable MarkerStamp stamp, long lastLine) {

        /** Reads to the end of the file. To stamp markers, all of it is read first: O(file). */
        public static Reading of(Path file, EventLimits limits, boolean stampMarkers) throws IOException {
            if (!stampMarkers) {
                return new Reading(limits, null, Long.MAX_VALUE);
            }
            try (JsonlReader reader = JsonlReader.open(file, limits)) {
                return new Reading(limits, MarkerStamp.survey(reader), Long.MAX_VALUE);
            }
        }

        /** Reads the lines before the one that begins what is left out. */
        public Reading without(JsonlRest rest) {
            return new Reading(limits, stamp, rest.firstLine() - 1);
        }
    }

    private final JsonlReader reader;
    private final Reading reading;
    private final LongConsumer progress;
    private Iterator<EventCandidate> members = Collections.emptyIterator();
    private long line = 1;
    private boolean ended;

    private LogEvents(JsonlReader reader, Reading reading, LongConsumer progress) {
        this.reader = reader;
        this.reading = reading;
        this.progress = progress;
    }

    /** Opens a file; progress is told, after each line, how many of its bytes have been read. */
    public static LogEvents open(Path file, Reading reading, LongConsumer progress) throws IOException {
        return new LogEvents(JsonlReader.open(file, reading.limits()), reading, progress);
    }

    public SessionHeader header() {
        return reader.header();
    }

    @Override
    public boolean hasNext() {
        while (!members.hasNext() && !ended) {
            try {
                nextLine();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return members.hasNext();
    }

    private void nextLine() throws IOException {
        JsonlLine next = line == reading.lastLine() ? null : reader.next();
        if (next == null) {
            ended = true;
            return;
        }
        line = next.number();
        MarkerStamp stamp = reading.stamp();
        members = (stamp == null ? next : stamp.apply(next)).events().iterator();
        progress.accept(reader.bytesRead());
    }

    @Override
    public EventCandidate next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return members.next();
    }

    /** Physical line of the event given last, the header being 1; all members of a row stand in one. */
    public long line() {
        return line;
    }

    /** How the file ended, once it has been read to its end. */
    public JsonlTail tail() {
        return reader.tail();
    }

    /** Leaves out the line of the event given last, which was refused here or elsewhere, and all that follows. */
    public JsonlRest leaveOut() throws IOException {
        return reader.leaveOut();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
