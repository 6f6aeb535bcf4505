package io.surfacelog.cli;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfaceOp;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The events of a log as rows of a table, one after the other; a run of stream chunks is one row. */
final class EventRows {

    private static final int TEXT = 200;

    private final Output out;
    private final SurfaceStates states;
    private final boolean foldsChunks;
    private final Table table;
    private final StringBuilder streamed = new StringBuilder();
    private @Nullable SessionEvent first;
    private long last;

    /**
     * Prints the headings.
     *
     * @param events how many events the log has, which says how wide a seq can be
     * @param foldsChunks whether a run of chunks is one row
     */
    EventRows(Output out, SurfaceStates states, long events, boolean foldsChunks, boolean colour) throws IOException {
        this.out = out;
        this.states = states;
        this.foldsChunks = foldsChunks;
        int digits = Long.toString(Math.max(0, events - 1)).length();
        this.table = new Table(
                Table.WIDTH + 20,
                colour,
                Table.right("seq", Math.max(3, foldsChunks ? digits * 2 + 1 : digits)),
                Table.left("type", 18),
                Table.left("surface", 12 + digits),
                Table.left("op and sources", Math.min(30, 16 + digits * 3)),
                Table.rest("says"));
        out.line(table.head());
    }

    void add(SessionEvent event) throws IOException {
        if (!foldsChunks || !event.type().equals(EventType.ASSISTANT_CHUNK)) {
            finish();
            row(Long.toString(event.seq()), event, Preview.of(event));
            return;
        }
        if (first == null) {
            first = event;
            streamed.setLength(0);
        }
        last = event.seq();
        if (streamed.length() < TEXT) {
            streamed.append(textOf(event));
        }
    }

    /** Prints the run that is still open. */
    void finish() throws IOException {
        SessionEvent run = first;
        first = null;
        if (run == null) {
            return;
        }
        if (last == run.seq()) {
            row(Long.toString(run.seq()), run, Preview.of(run));
        } else {
            row(run.seq() + "-" + last, run, (last - run.seq() + 1) + " chunks: " + streamed);
        }
    }

    private void row(String seqs, SessionEvent event, String says) throws IOException {
        out.line(table.row(
                states.ink(event),
                seqs,
                event.type(),
                states.of(event),
                event.intent().map(EventRows::intent).orElse(""),
                says));
    }

    /** How an event joined the surface and what it cites. */
    static String intent(SurfaceIntent intent) {
        String op = intent.op() instanceof SurfaceOp.Replace replace
                ? "replace " + replace.start() + ".." + replace.end()
                : "append";
        return op
                + intent.sources()
                        .map(sources -> " <- " + (sources.isEmpty() ? "none" : sources.toText()))
                        .orElse("");
    }

    /** What a stream chunk adds to what is said; empty for what adds nothing. */
    static String textOf(SessionEvent event) {
        if (event.payload() instanceof AssistantChunk chunk) {
            if (chunk.chunk() instanceof StreamChunk.TextDelta delta) {
                return delta.text();
            }
            if (chunk.chunk() instanceof StreamChunk.ReasoningDelta delta) {
                return delta.text();
            }
            if (chunk.chunk() instanceof StreamChunk.ToolCallDelta delta) {
                return delta.name().map(name -> name + " ").orElse("") + delta.argumentsDelta();
            }
        }
        return "";
    }
}
