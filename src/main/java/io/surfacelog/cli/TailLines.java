package io.surfacelog.cli;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.stream.SessionEventCommitted;
import io.surfacelog.stream.SessionEventListener;
import io.surfacelog.stream.SubscriberFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Events of the stream as lines; what a message is streamed in stands on one line, which grows. */
final class TailLines implements SessionEventListener {

    private final Output out;
    private final boolean namesSessions;
    private final boolean json;

    /** Whose line is open, and what kind of chunk was its last. */
    private @Nullable SessionId open;

    private @Nullable Class<?> kind;

    TailLines(Output out, boolean namesSessions, boolean json) {
        this.out = out;
        this.namesSessions = namesSessions;
        this.json = json;
    }

    @Override
    public synchronized void onEvent(SessionEventCommitted committed) {
        try {
            if (json) {
                out.line(JsonLine.of(JsonObject.builder()
                        .put("position", committed.streamPosition().toString())
                        .put("session", committed.session().value())
                        .put("event", committed.event().toJson())
                        .build()));
            } else if (committed.event().payload() instanceof AssistantChunk chunk) {
                chunk(committed, chunk.chunk());
            } else {
                endLine();
                SessionEvent event = committed.event();
                out.line(head(committed)
                        + ShownText.line(
                                ShownText.padded(event.type(), 18, false) + " " + Preview.of(event), Table.WIDTH));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Chunks that bring no text are not shown. */
    private void chunk(SessionEventCommitted committed, StreamChunk chunk) throws IOException {
        String text = EventRows.textOf(committed.event());
        if (text.isEmpty()) {
            return;
        }
        if (!committed.session().equals(open)) {
            endLine();
            write(head(committed) + ShownText.padded("streams", 18, false) + " ");
            open = committed.session();
        } else if (!chunk.getClass().equals(kind)) {
            write("  ");
        }
        kind = chunk.getClass();
        write(ShownText.visible(text));
    }

    private String head(SessionEventCommitted committed) {
        String seq = ShownText.padded(Long.toString(committed.event().seq()), 7, true) + "  ";
        return namesSessions ? SessionIdArgument.typed(committed.session()) + seq : seq;
    }

    private void endLine() throws IOException {
        if (open != null) {
            open = null;
            kind = null;
            write("\n");
        }
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    synchronized void flush() throws IOException {
        out.flush();
    }

    /** Ends the line that is open. */
    synchronized void finish() throws IOException {
        endLine();
        out.flush();
    }

    /** Why the subscription has ended: where standard output took no more, that, and not that an event was the first. */
    static IOException failure(@Nullable Throwable why) {
        if (why instanceof SubscriberFailedException
                && why.getCause() instanceof UncheckedIOException closed
                && closed.getCause() != null) {
            return closed.getCause();
        }
        if (why instanceof RuntimeException failure) {
            throw failure;
        }
        return new IOException(why);
    }
}
