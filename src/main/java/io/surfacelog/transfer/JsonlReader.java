package io.surfacelog.transfer;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.ChunkRows;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads a session's log file line by line: its header when it is opened, then the events of each line.
 *
 * <pre>{@code
 * try (JsonlReader reader = JsonlReader.open(path, EventLimits.defaults())) {
 *     for (JsonlLine line = reader.next(); line != null; line = reader.next()) {
 *         line.events().forEach(candidate -> admit(candidate, line.number()));
 *     }
 *     reader.tail().tornBytes(); // 0 if the file is whole
 * }
 * }</pre>
 *
 * <p>A file of Zstandard frames is known by its first bytes, whatever its name. Its lines are given out before the checksum
 * of their frame has been compared, so they are good only once {@link #next()} has gone beyond the frame without a refusal.
 *
 * <p>Checks bytes, JSON, limits, envelopes and chunk rows. Types, seqs, markers and payloads are for admission to check;
 * until it has, no event read here is known to be good. Memory is bounded by one line,
 * and by 128 MiB for a frame. The file is only read.
 *
 * <p>Each refusal names the physical {@code line} and, where it concerns an event, its index in the unpacked log. After
 * one the reader stays where it is: {@link #next()} throws the same again. Not safe for use by several threads.
 */
public final class JsonlReader implements Closeable {

    /** The {@code type} of a header record. */
    static final String HEADER_TYPE = "session";

    private final ByteLines lines;
    private final @Nullable ZstdFrames frames;
    private final EventLimits limits;
    private final SessionHeader header;
    private long index;
    private long soundLines;
    private @Nullable AdmissionException fault;
    private @Nullable JsonlTail tail;

    private JsonlReader(ByteLines lines, @Nullable ZstdFrames frames, EventLimits limits) throws IOException {
        this.lines = lines;
        this.frames = frames;
        this.limits = limits;
        if (frames != null) {
            // every line given out so far ends in it or before it
            frames.whenVerified(() -> soundLines = lines.number());
        }
        this.header = readHeader(lines);
    }

    /**
     * Opens a file and reads its header.
     *
     * @throws AdmissionException {@code head.*} or {@code json.*} at line 1; the file is closed then
     */
    public static JsonlReader open(Path file, EventLimits limits) throws IOException {
        return open(Files.newInputStream(file), limits);
    }

    /**
     * Takes over a stream, reads its header, and closes the stream when closed itself or when the header is refused. The
     * stream needs no buffer; it is read ahead by 64 KiB.
     *
     * @throws AdmissionException {@code head.*}, {@code json.*} or {@code file.frame} at line 1
     */
    public static JsonlReader open(InputStream in, EventLimits limits) throws IOException {
        Closeable opened = in;
        try {
            byte[] first = new byte[Integer.BYTES];
            int length = in.readNBytes(first, 0, first.length);
            PushbackInputStream whole = new PushbackInputStream(in, first.length);
            whole.unread(first, 0, length);
            ZstdFrames frames = ZstdFrames.begin(first, length) ? new ZstdFrames(whole) : null;
            ByteLines lines = new ByteLines(frames == null ? whole : frames, ChunkRows.maxRowBytes(limits));
            opened = lines;
            return new JsonlReader(lines, frames, limits);
        } catch (IOException | RuntimeException e) {
            try {
                opened.close();
            } catch (IOException onClose) {
                e.addSuppressed(onClose);
            }
            throw e;
        }
    }

    /**
     * Size of the text that a file stands for: its own, or that of its frames when they are unpacked. Counts to the first
     * frame that cannot be, which only reading tells. Cost: O(text), up to what is asked for.
     *
     * @param most where counting may end
     * @return the bytes of text, or a number above {@code most}
     */
    public static long textBytes(Path file, long most) throws IOException {
        byte[] first = new byte[Integer.BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            int length = in.readNBytes(first, 0, first.length);
            if (!ZstdFrames.begin(first, length)) {
                return Files.size(file);
            }
            PushbackInputStream whole = new PushbackInputStream(in, first.length);
            whole.unread(first, 0, length);
            return textBytes(new ZstdFrames(whole), most);
        }
    }

    private static long textBytes(ZstdFrames frames, long most) throws IOException {
        byte[] page = new byte[1 << 16];
        long count = 0;
        try (frames) {
            for (int read = 0; read >= 0 && count <= most; read = frames.read(page, 0, page.length)) {
                count += read;
            }
        } catch (AdmissionException toldByReading) {
            return count;
        }
        return count;
    }

    private static SessionHeader readHeader(ByteLines lines) throws IOException {
        try {
            if (!lines.next()) {
                throw record(
                        lines.length() == 0
                                ? "an empty file"
                                : "a first line of " + lines.length() + " bytes that is cut short");
            }
            Json json = Json.parse(lines.text());
            if (json instanceof JsonObject object && !isVersionOfAnother(object)) {
                String type = object.string("type").orElse("");
                if (!type.equals(HEADER_TYPE)) {
                    throw record(
                            object.has("type")
                                    ? "a record of another type: " + abridged(object.get("type"))
                                    : "a record without a type");
                }
            }
            return SessionHeader.of(json);
        } catch (AdmissionException e) {
            throw e.line(1);
        }
    }

    /** Another version may well have another kind of record: it is told as a version, never as a wrong record. */
    private static boolean isVersionOfAnother(JsonObject object) {
        return object.has("version")
                && !(object.get("version") instanceof JsonNumber number
                        && number.safeInteger().orElse(-1) == SessionHeader.VERSION);
    }

    private static AdmissionException record(String found) {
        return new AdmissionException(
                AdmissionRule.HEAD_RECORD,
                "expected a header record {\"type\":\"session\",…} in the first line, found " + found);
    }

    private static String abridged(@Nullable Json json) {
        String text = String.valueOf(json);
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    /** The header, which was read when the reader was opened. */
    public SessionHeader header() {
        return header;
    }

    /** The limits that the events are checked against. */
    public EventLimits limits() {
        return limits;
    }

    /**
     * Refuses a file that is not of this session.
     *
     * @throws AdmissionException {@code head.id}
     */
    public void requireId(SessionId expected) {
        if (!header.id().equals(expected)) {
            throw new AdmissionException(
                            AdmissionRule.HEAD_ID,
                            "expected the file of session \"" + expected + "\", found that of \"" + header.id() + "\"")
                    .line(1);
        }
    }

    /**
     * The next complete line, or null after the last one. Cost: O(length of the line).
     *
     * @throws AdmissionException {@code json.*}, {@code limit.*}, {@code envelope} or {@code row.*}; without {@code at} for
     *     {@code json.syntax}. Of a row at fault no member is given out.
     */
    public @Nullable JsonlLine next() throws IOException {
        if (fault != null) {
            throw fault;
        }
        try {
            noteSoundLines();
            if (!lines.next()) {
                tail = tail(frames);
                return null;
            }
            List<EventCandidate> events = ChunkRows.unpack(Json.parse(lines.text()), limits);
            JsonlLine line = new JsonlLine(lines.number(), offset(), lines.length(), index, events);
            index += events.size();
            return line;
        } catch (AdmissionException e) {
            fault = placed(e);
            throw fault;
        }
    }

    private AdmissionException placed(AdmissionException e) {
        if (frames != null && frames.isDamaged()) {
            // what stands between frames is no line
            return frames.isInFrame() ? e.line(soundLines() + 1) : e;
        }
        AdmissionException placed = e.rule() == AdmissionRule.JSON_SYNTAX ? e : e.at(index + e.at().orElse(0));
        return placed.line(lines.number());
    }

    private JsonlTail tail(@Nullable ZstdFrames frames) throws IOException {
        if (frames == null) {
            return new JsonlTail(lines.offset(), lines.length(), false);
        }
        boolean tornLine = lines.length() > 0;
        long kept = frames.isTorn() ? frames.frame() : tornLine ? offset() : frames.position();
        return new JsonlTail(kept, frames.length() - kept, frames.isTorn() || tornLine);
    }

    /** Lines whose frames have been found sound, or, in a torn frame, that were read: those are never taken back. */
    private long soundLines() {
        noteSoundLines();
        return soundLines;
    }

    private void noteSoundLines() {
        if (frames == null || frames.isTorn() || lines.offset() + lines.length() <= frames.verified()) {
            soundLines = lines.number();
        }
    }

    /**
     * Where the line begins that was read last: up to here the file is good if that line was refused. In a Zstandard file,
     * where the frame begins that holds the first byte of the line.
     */
    public long offset() {
        return frames == null ? lines.offset() : frames.frameOf(lines.offset());
    }

    /** Bytes of the file that have been read, but for what was read ahead. */
    public long bytesRead() {
        return frames == null ? lines.offset() + lines.length() : frames.position();
    }

    /**
     * Leaves out the line that was read last, which was refused here or elsewhere, and all that follows. Reads on to the end
     * of the file and looks only for line ends and checksums: lines before the refused one are left out too if their frame
     * turns out to be damaged.
     */
    public JsonlRest leaveOut() throws IOException {
        boolean decodes = frames == null || !frames.isDamaged();
        long offset = frames == null || decodes ? offset() : frames.frame();
        long good = decodes ? lines.number() - 1 : soundLines();
        try {
            while (decodes && lines.next()) {
                noteSoundLines();
            }
        } catch (AdmissionException e) {
            decodes = false;
            if (frames != null && soundLines() < good) {
                good = soundLines();
                offset = frames.frame();
            }
        }
        boolean tornLine = decodes && lines.length() > 0;
        long bytes = (frames == null ? lines.offset() + lines.length() : frames.length()) - offset;
        OptionalLong count =
                decodes ? OptionalLong.of(lines.number() - good + (tornLine ? 1 : 0)) : OptionalLong.empty();
        return new JsonlRest(good + 1, offset, bytes, count);
    }

    /**
     * How the file ended.
     *
     * @throws IllegalStateException before {@link #next()} has returned null
     */
    public JsonlTail tail() {
        JsonlTail known = tail;
        if (known == null) {
            throw new IllegalStateException("the tail is known only after next() has returned null");
        }
        return known;
    }

    /** Closes the file or stream. */
    @Override
    public void close() throws IOException {
        lines.close();
    }
}
