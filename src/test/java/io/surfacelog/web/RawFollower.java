package io.surfacelog.web;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A client of the feed on a bare socket: it reads as many bytes as it is told and no more, and keeps of them what an
 * EventSource would, whole events. Used by one thread.
 */
public final class RawFollower implements AutoCloseable {

    private static final int BLANK_LINE = 2;

    private final SocketChannel socket;
    private final List<Heard> heard = new ArrayList<>();
    private final ByteArrayOutputStream tail = new ByteArrayOutputStream();
    private boolean answered;

    /** A whole event; seq is -1 where it is none of a session. */
    public record Heard(String id, String type, String session, long seq) {}

    private RawFollower(SocketChannel socket) {
        this.socket = socket;
    }

    /**
     * Asks for a feed.
     *
     * @param path from the root of the server
     * @param lastId what it has heard before, or empty
     * @param window how many bytes the kernel keeps for it, 0 for as many as usual
     */
    public static RawFollower of(int port, String path, String lastId, int window) throws IOException {
        SocketChannel socket = SocketChannel.open();
        if (window > 0) {
            socket.setOption(StandardSocketOptions.SO_RCVBUF, window);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        // of HTTP 1.0, so that the events come as they are and not in chunks
        String request = "GET " + path + " HTTP/1.0\r\nHost: localhost\r\n"
                + (lastId.isEmpty() ? "" : "Last-Event-ID: " + lastId + "\r\n") + "\r\n";
        socket.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        return new RawFollower(socket);
    }

    /** Reads up to so many bytes, at least one; false if there will be no more. */
    public boolean read(int most) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(most);
        if (socket.read(bytes) < 0) {
            return false;
        }
        tail.write(bytes.array(), 0, bytes.position());
        keepWholeEvents();
        return true;
    }

    private void keepWholeEvents() {
        String text = tail.toString(StandardCharsets.ISO_8859_1);
        int from = 0;
        if (!answered) {
            int end = text.indexOf("\r\n\r\n");
            if (end < 0) {
                return;
            }
            if (!text.startsWith("HTTP/1.1 200")) {
                throw new AssertionError(text);
            }
            answered = true;
            from = end + 4;
        }
        for (int end = text.indexOf("\n\n", from); end >= 0; end = text.indexOf("\n\n", from)) {
            keep(new String(text.substring(from, end).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
            from = end + BLANK_LINE;
        }
        byte[] rest = text.substring(from).getBytes(StandardCharsets.ISO_8859_1);
        tail.reset();
        tail.writeBytes(rest);
    }

    private void keep(String event) {
        String id = "";
        String type = "";
        String data = "";
        for (String line : event.split("\n", -1)) {
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("event: ")) {
                type = line.substring(7);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            }
        }
        if (!data.isEmpty()) {
            JsonObject json = (JsonObject) Json.parse(data);
            heard.add(new Heard(
                    id,
                    type,
                    json.string("session").orElse(""),
                    json.object("event")
                            .map(one -> one.longValue("seq").orElseThrow())
                            .orElse(-1L)));
        }
    }

    /** Waits until it has heard something, at first that it is served. */
    public RawFollower awaitFirst() throws IOException {
        while (heard.isEmpty()) {
            if (!read(256)) {
                throw new AssertionError("ended before it began: " + tail.toString(StandardCharsets.UTF_8));
            }
        }
        return this;
    }

    /** Whole events so far. */
    public List<Heard> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
