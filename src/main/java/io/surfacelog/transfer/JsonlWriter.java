package io.surfacelog.transfer;

import io.surfacelog.event.ChunkRowPacker;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a session's log file: the header, then one line per event or run of stream deltas, UTF-8, each ended by 0x0A.
 *
 * <pre>{@code
 * try (JsonlWriter writer = JsonlWriter.open(Files.newOutputStream(path), header)) {
 *     for (SessionEvent event : events) {
 *         writer.write(event);
 *     }
 * }
 * }</pre>
 *
 * <p>{@link #openZstd} writes the same lines into Zstandard frames with checksums: the header alone in the first, then one
 * for each batch of {@value #BATCH_EVENTS} events, or of 4 MiB of text if that is reached first.
 *
 * <p>What it wrote reads back as the same header and events; the same log gives the same bytes. Holds one event or the
 * row being made (see {@link ChunkRowPacker}). Not safe for use by several threads.
 */
public final class JsonlWriter implements Closeable, Flushable {

    /** The members of a header record in the order of the format; what else a header has follows in its own order. */
    private static final List<String> HEADER = List.of(
            "version",
            "id",
            "createdAt",
            "cwd",
            "parentSession",
            "seedLength",
            "origin",
            "delegationDepth",
            "agentPreset");

    /** How many events a Zstandard frame holds; a run of deltas that is one row is not divided. */
    public static final int BATCH_EVENTS = 1_000;

    private static final long BATCH_BYTES = 4L << 20;

    private final OutputStream out;
    private final @Nullable ZstdFrameWriter frames;
    private final ChunkRowPacker packer = new ChunkRowPacker();
    private long next;
    private long frameFrom;
    private long frameBytes;
    private boolean closed;

    private JsonlWriter(OutputStream out, @Nullable ZstdFrameWriter frames) {
        this.out = new BufferedOutputStream(out, 1 << 16);
        this.frames = frames;
    }

    /** Takes over a stream and writes the header to it. */
    public static JsonlWriter open(OutputStream out, SessionHeader header) throws IOException {
        JsonlWriter writer = new JsonlWriter(out, null);
        writer.line(recordOf(header));
        return writer;
    }

    /** As {@link #open}, in Zstandard frames. */
    public static JsonlWriter openZstd(OutputStream out, SessionHeader header) throws IOException {
        ZstdFrameWriter frames = new ZstdFrameWriter(out);
        JsonlWriter writer = new JsonlWriter(frames, frames);
        writer.line(recordOf(header));
        writer.endFrame(frames);
        return writer;
    }

    private static String recordOf(SessionHeader header) {
        JsonObject json = header.json();
        JsonObject.Builder record = JsonObject.builder().put("type", JsonlReader.HEADER_TYPE);
        for (String name : HEADER) {
            // the numbers of a header are safe integers, written plainly as those of an envelope are
            json.longValue(name)
                    .ifPresentOrElse(
                            number -> record.put(name, JsonNumber.of(number)),
                            () -> record.putIfPresent(name, json.get(name)));
        }
        json.forEach((name, value) -> {
            if (!HEADER.contains(name)) {
                record.put(name, value);
            }
        });
        return record.build().toText();
    }

    /**
     * Writes the next event; if it can be a member of a chunk row, only when the row is complete.
     *
     * @throws IllegalArgumentException if its seq is not the number of events written so far: such a file could not be read
     */
    public void write(SessionEvent event) throws IOException {
        if (event.seq() != next) {
            throw new IllegalArgumentException("expected the event of seq " + next + ", found " + event.seq());
        }
        next++;
        for (String line : packer.add(event)) {
            line(line);
        }
    }

    /** Ends the row and the frame being made and hands all that was written to the stream. A run that goes on makes another row. */
    @Override
    public void flush() throws IOException {
        endRow();
        out.flush();
        if (frames != null && frameBytes > 0) {
            endFrame(frames);
        }
    }

    /** Flushes and closes the stream. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (OutputStream closing = out) {
            endRow();
            closing.flush();
        }
    }

    private void endRow() throws IOException {
        for (String line : packer.finish()) {
            line(line);
        }
    }

    private void line(String text) throws IOException {
        // a lone surrogate is an escape in the text already, so encoding loses nothing
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes);
        out.write('\n');
        if (frames != null) {
            frameBytes += bytes.length + 1;
            if (next - frameFrom >= BATCH_EVENTS || frameBytes >= BATCH_BYTES) {
                endFrame(frames);
            }
        }
    }

    private void endFrame(ZstdFrameWriter frames) throws IOException {
        out.flush();
        frames.endFrame();
        frameFrom = next;
        frameBytes = 0;
    }
}
