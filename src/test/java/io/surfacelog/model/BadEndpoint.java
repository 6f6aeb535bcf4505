package io.surfacelog.model;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An endpoint on this machine that answers every request by a script, down to the byte, however wrong that is. */
final class BadEndpoint implements AutoCloseable {

    static final String STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

    /** What is done with a connection once its request was read; it is closed after that. */
    @FunctionalInterface
    interface Script {
        void answer(Line line) throws Exception;
    }

    /**
     * A request.
     *
     * @param head its first line and headers
     * @param body its body
     */
    record Received(String head, JsonObject body) {
        boolean hasHeader(String name) {
            return head.toLowerCase(Locale.ROOT).contains("\r\n" + name.toLowerCase(Locale.ROOT) + ":");
        }
    }

    private final ServerSocket server;
    private final Script script;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final CountDownLatch clientClosed = new CountDownLatch(1);

    private BadEndpoint(ServerSocket server, Script script) {
        this.server = server;
        this.script = script;
    }

    static BadEndpoint of(Script script) {
        try {
            BadEndpoint endpoint = new BadEndpoint(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
            endpoint.daemon(endpoint::accept);
            return endpoint;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An endpoint that streams these events and closes. */
    static BadEndpoint streaming(String... events) {
        return of(line -> {
            line.send(STREAM);
            for (String event : events) {
                line.event(event);
            }
        });
    }

    /** An endpoint that answers with this status, these further header lines and this body. */
    static BadEndpoint answering(String status, String headers, String body) {
        return of(line -> line.send("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\nConnection: close\r\n\r\n" + body));
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/v1";
    }

    List<Received> received() {
        return received;
    }

    /** Whether the client closed a connection on which the script waits for that. */
    boolean awaitClosedByClient() throws InterruptedException {
        return clientClosed.await(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                daemon(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            received.add(read(socket.getInputStream()));
            script.answer(new Line(socket));
        } catch (Exception e) {
            // the client may go at any time; what it makes of the answer is what is tested
        }
    }

    private void daemon(Runnable work) {
        Thread thread = new Thread(work, "bad endpoint");
        thread.setDaemon(true);
        thread.start();
    }

    private static Received read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the client went in the middle of its head");
            }
            head.write(next);
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        int length = text.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElse(0);
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Received(text, (JsonObject) Json.parse(body));
    }

    /** One connection, seen from the endpoint. */
    final class Line {

        private final Socket socket;
        private final OutputStream out;

        private Line(Socket socket) throws IOException {
            this.socket = socket;
            this.out = socket.getOutputStream();
            socket.setTcpNoDelay(true);
        }

        void send(String text) throws IOException {
            send(text.getBytes(StandardCharsets.UTF_8));
        }

        void send(byte[] bytes) throws IOException {
            try {
                out.write(bytes);
                out.flush();
            } catch (IOException closed) {
                clientClosed.countDown(); // it has gone before the script waits for that
                throw closed;
            }
        }

        void event(String data) throws IOException {
            send("data: " + data + "\n\n");
        }

        /** Breaks the connection so that the client sees a reset. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /** Says nothing more until the client closes the connection. */
        void hang() throws IOException {
            try {
                while (socket.getInputStream().read() >= 0) {
                    // whatever it still sends
                }
            } finally {
                clientClosed.countDown();
            }
        }

        /** Says the same until the client closes the connection. */
        void repeat(String text) {
            try {
                while (true) {
                    send(text);
                }
            } catch (IOException closed) {
                // that is what it waits for
            }
        }
    }
}
