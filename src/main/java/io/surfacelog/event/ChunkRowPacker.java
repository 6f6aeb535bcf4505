package io.surfacelog.event;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Packs a stream of events into the lines of a log file; holds no more than the row it is making.
 *
 * <pre>{@code
 * ChunkRowPacker packer = new ChunkRowPacker();
 * events.forEach(event -> packer.add(event).forEach(out::println));
 * packer.finish().forEach(out::println);
 * }</pre>
 *
 * <p>Three or more neighbouring deltas of one kind, turn, step and index (and one call id and name), with consecutive
 * seqs and times whose gaps are safe integers, make a row. A run ends after {@link #MAX_MEMBERS} members or where its
 * events would take more than {@link #MAX_ROW_UNITS} as lines of their own; what follows begins another one.
 *
 * <p>Not safe for use by several threads.
 */
public final class ChunkRowPacker {

    /** The most members that a row gets. */
    public static final int MAX_MEMBERS = 4_096;

    /** The most UTF-16 units that the data of a row's events may have together. */
    public static final int MAX_ROW_UNITS = 1 << 20;

    private static final int MIN_MEMBERS = 3;

    private @Nullable Run run;

    /** Takes the next event; answers with the lines that are complete by it, without line ends, often none. */
    public List<String> add(SessionEvent event) {
        ChunkRowMember member = ChunkRowMember.of(event);
        Run open = run;
        if (member != null && open != null && open.takes(member)) {
            open.add(member);
            return List.of();
        }
        List<String> lines = finish();
        if (member != null) {
            run = new Run(member);
            return lines;
        }
        List<String> all = new ArrayList<>(lines);
        all.add(event.toText());
        return all;
    }

    /** Ends the open run; answers with its lines. More events may follow. */
    public List<String> finish() {
        Run open = run;
        run = null;
        return open == null ? List.of() : open.lines();
    }

    /** Members that will become one row, or single lines if they stay too few. */
    private static final class Run {

        private final ChunkRowMember first;
        private final List<String> single = new ArrayList<>(MIN_MEMBERS);
        private final StringBuilder gaps = new StringBuilder();
        private final StringBuilder texts = new StringBuilder();
        private long units;
        private long lastTime;
        private int size;

        Run(ChunkRowMember first) {
            this.first = first;
            add(first);
        }

        boolean takes(ChunkRowMember next) {
            SessionEvent event = next.event();
            return size < MAX_MEMBERS
                    && units + event.data().text().length() <= MAX_ROW_UNITS
                    && event.seq() == first.event().seq() + size
                    && Math.abs(event.time() - lastTime) <= JsonNumber.MAX_SAFE
                    && first.sharesRowWith(next);
        }

        void add(ChunkRowMember member) {
            SessionEvent event = member.event();
            if (size > 0) {
                gaps.append(size > 1 ? "," : "").append(event.time() - lastTime);
                texts.append(',');
            }
            JsonWriter.writeString(member.text(), texts);
            lastTime = event.time();
            units += event.data().text().length();
            size++;
            if (size < MIN_MEMBERS) {
                single.add(event.toText());
            }
        }

        List<String> lines() {
            return size < MIN_MEMBERS ? single : List.of(row());
        }

        private String row() {
            StringBuilder out = new StringBuilder(gaps.length() + texts.length() + 160)
                    .append("{\"type\":\"")
                    .append(first.kind().rowType())
                    .append("\",\"seq0\":")
                    .append(first.event().seq())
                    .append(",\"time0\":")
                    .append(first.event().time())
                    .append(",\"data\":{\"turn\":")
                    .append(first.turn())
                    .append(",\"step\":")
                    .append(first.step())
                    .append(",\"index\":")
                    .append(first.index())
                    .append(",\"dt\":[")
                    .append(gaps)
                    .append(']');
            call("id", first.id(), out);
            call("name", first.name(), out);
            return out.append(",\"")
                    .append(first.kind().texts())
                    .append("\":[")
                    .append(texts)
                    .append("]}}")
                    .toString();
        }

        private static void call(String member, @Nullable String value, StringBuilder out) {
            if (value != null) {
                out.append(",\"").append(member).append("\":");
                JsonWriter.writeString(value, out);
            }
        }
    }
}
