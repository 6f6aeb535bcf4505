package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients that follow and hear nothing cost a little memory each, and no thread. */
@Tag("slow")
class IdleClientsTest {

    private static final int CLIENTS = 1_000;
    private static final long MOST_BYTES = 64L << 20;
    private static final int OTHER_THREADS = 60;

    @TempDir
    private Path directory;

    @Test
    void a_thousand_idle_clients_cost_at_most_64_megabytes_and_no_threads() throws IOException {
        List<SocketChannel> clients = new ArrayList<>(CLIENTS);
        try (Served served = Served.in(directory)) {
            SessionId id = served.commands()
                    .create(SessionHeader.builder().id(SessionId.of("s")).build());
            // whatever the first client needs is no client's
            clients.add(follow(served));
            readUntil(clients.get(0), "event: open");
            long before = heap();
            int threadsBefore = Thread.activeCount();

            for (int i = 0; i < CLIENTS; i++) {
                SocketChannel client = follow(served);
                clients.add(client);
                readUntil(client, "event: open");
            }

            assertThat(heap() - before).isLessThan(MOST_BYTES);
            assertThat(Thread.activeCount() - threadsBefore).isLessThan(OTHER_THREADS);
            served.commands().append(id, OpaquePayload.of("session/title", Json.parse("{}")));
            for (SocketChannel client : clients) {
                readUntil(client, "event: session/event");
            }
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    private static SocketChannel follow(Served served) throws IOException {
        SocketChannel client =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), served.port()));
        client.write(ByteBuffer.wrap(("GET " + Served.BASE + "/sessions/s/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII)));
        return client;
    }

    private static void readUntil(SocketChannel client, String text) throws IOException {
        StringBuilder read = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(512);
        while (read.indexOf(text) < 0) {
            if (client.read(buffer.clear()) < 0) {
                throw new AssertionError("ended after " + read);
            }
            read.append(StandardCharsets.US_ASCII.decode(buffer.flip()));
        }
    }

    private static long heap() {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        // the least of several, since one collection need not find everything
        for (int i = 0; i < 5; i++) {
            System.gc();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }
}
