package io.surfacelog.web;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.transfer.JsonlLine;
import io.surfacelog.transfer.JsonlReader;
import io.surfacelog.transfer.JsonlTail;
import io.surfacelog.transfer.MarkerStamp;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The events of an uploaded log one after the other, of which only one line is held. */
final class UploadedLog implements Iterator<EventCandidate>, Closeable {

    private final JsonlReader reader;
    private final @Nullable MarkerStamp stamp;
    private Iterator<EventCandidate> members = Collections.emptyIterator();
    private long line = 1;
    private boolean ended;

    private UploadedLog(JsonlReader reader, @Nullable MarkerStamp stamp) {
        this.reader = reader;
        this.stamp = stamp;
    }

    /**
     * Opens an upload.
     *
     * @param most how many bytes its text may have, unpacked: the writer waits for the whole of it
     */
    static UploadedLog open(Path upload, EventLimits limits, long most, @Nullable MarkerStamp stamp)
            throws IOException {
        return new UploadedLog(reader(upload, limits, most), stamp);
    }

    private static JsonlReader reader(Path upload, EventLimits limits, long most) throws IOException {
        return JsonlReader.open(Files.newInputStream(upload), limits, text -> RequestBody.bounded(text, most));
    }

    static MarkerStamp stamp(Path upload, EventLimits limits, long most) throws IOException {
        try (JsonlReader reader = reader(upload, limits, most)) {
            return MarkerStamp.survey(reader);
        }
    }

    /** All types of a log that can be read to its end; nothing of one that cannot, which its import will tell. */
    static Set<String> types(Path upload, EventLimits limits, long most) throws IOException {
        Set<String> types = new TreeSet<>();
        try (JsonlReader reader = reader(upload, limits, most)) {
            for (JsonlLine next = reader.next(); next != null; next = reader.next()) {
                // a line of several events is a chunk row
                EventCandidate first = next.events().get(0);
                if (!first.ignorable()) {
                    types.add(first.type());
                }
            }
        } catch (AdmissionException toldByTheImport) {
            return Set.of();
        }
        return types;
    }

    SessionHeader header() {
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
        JsonlLine next = reader.next();
        if (next == null) {
            ended = true;
            return;
        }
        line = next.number();
        members = (stamp == null ? next : stamp.apply(next)).events().iterator();
    }

    @Override
    public EventCandidate next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return members.next();
    }

    /** Physical line of the event given last, the header being 1. */
    long line() {
        return line;
    }

    /** How the log ended, once it has been read to its end. */
    JsonlTail tail() {
        return reader.tail();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
