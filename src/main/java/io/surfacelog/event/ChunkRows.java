package io.surfacelog.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The lines of a log file: a run of stream deltas is one chunk row, every other event is a line of its own.
 *
 * <pre>{@code
 * List<String> lines = ChunkRows.pack(events);
 * List<EventCandidate> same = ChunkRows.unpack(Json.parse(lines.get(0)), EventLimits.defaults());
 * }</pre>
 *
 * <p>Packing is lossless: only what unpacks to the same event, text for text, goes into a row. {@link ChunkRowPacker}
 * does the same with a stream of events.
 */
public final class ChunkRows {

    private static final long MIN_ROW_BYTES = 64L << 20;

    private ChunkRows() {}

    /**
     * The largest row, in UTF-8 bytes, both as it stands in the file and as the sum of the events that it unpacks to:
     * four times the largest event, at least 64 MiB, at most 1 GiB. Rows that Surfacelog writes stay far below.
     */
    public static int maxRowBytes(EventLimits limits) {
        long factored = limits.maxEventBytes() > (1L << 28) ? 1L << 30 : limits.maxEventBytes() * 4;
        return (int) Math.max(MIN_ROW_BYTES, factored);
    }

    /** Whether a value has one of the three types of row, sound or not. */
    public static boolean isRow(Json json) {
        return ChunkRow.kindOf(json) != null;
    }

    /**
     * The events of one line: the members of a row, all or nothing, or the one event that any other value is. The list is
     * unmodifiable; that of a row makes a member each time it is asked for one, so iterate over it once.
     *
     * <p>Cost: O(size of the line), in memory too, whatever the row claims.
     *
     * @throws AdmissionException {@code row.*}, {@code envelope} or {@code limit.event-bytes}; {@code at} counts from the
     *     first event of this line and is absent where the line as a whole is at fault
     */
    public static List<EventCandidate> unpack(Json line, EventLimits limits) {
        ChunkRowKind kind = ChunkRow.kindOf(line);
        return kind != null && line instanceof JsonObject row
                ? Collections.unmodifiableList(ChunkRow.of(kind, row, limits))
                : List.of(EventCandidate.of(line, limits));
    }

    /** The lines of these events, as compact JSON without line ends. Cost: O(size). */
    public static List<String> pack(Iterable<SessionEvent> events) {
        ChunkRowPacker packer = new ChunkRowPacker();
        List<String> lines = new ArrayList<>();
        events.forEach(event -> lines.addAll(packer.add(event)));
        lines.addAll(packer.finish());
        return List.copyOf(lines);
    }
}
