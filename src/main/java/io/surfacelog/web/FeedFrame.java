package io.surfacelog.web;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.stream.StreamPosition;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One server-sent event, made once for all who hear it. JSON has no bare line end, so it is one line of data. */
final class FeedFrame {

    /** A comment, so that both ends see that the other is there. */
    static final FeedFrame HEARTBEAT = new FeedFrame(":\n\n".getBytes(StandardCharsets.UTF_8), null);

    private static final String EVENT = "session/event";

    private final byte[] bytes;
    private final @Nullable StreamPosition position;

    private FeedFrame(byte[] bytes, @Nullable StreamPosition position) {
        this.bytes = bytes;
        this.position = position;
    }

    /** Where a feed begins: whoever hears nothing before the connection breaks goes on from here. */
    static FeedFrame open(StreamPosition position) {
        String place = position.toString();
        return frame(
                position,
                "open",
                JsonObject.builder().put("position", place).build().toText());
    }

    static FeedFrame event(SessionId session, StreamPosition position, SessionEvent event) {
        String data = "{\"position\":\"" + position + "\",\"session\":"
                + Json.of(session.value()).toText() + ",\"event\":" + event.toText() + "}";
        return frame(position, EVENT, data);
    }

    /** The last word of the feed of a session that is no more. */
    static FeedFrame removed(SessionId session) {
        return frame(
                null,
                "session/removed",
                JsonObject.builder().put("session", session.value()).build().toText());
    }

    /** The last word of a feed that failed; it may be asked for again after the last id. */
    static FeedFrame failed(Problem problem) {
        return frame(null, "problem", problem.json().toText());
    }

    /** What is sent; nobody changes it. */
    byte[] bytes() {
        return bytes;
    }

    /** The place after it, null where it has none. */
    @Nullable
    StreamPosition position() {
        return position;
    }

    private static FeedFrame frame(@Nullable StreamPosition position, String type, String data) {
        String text =
                (position == null ? "" : "id: " + position + "\n") + "event: " + type + "\ndata: " + data + "\n\n";
        return new FeedFrame(text.getBytes(StandardCharsets.UTF_8), position);
    }
}
