package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.crash.ChildJvm;
import io.surfacelog.web.RawFollower;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients that follow what {@code serve} serves and hear nothing cost a little memory each, and no thread. */
@Tag("slow")
class IdleClientsTest {

    private static final int CLIENTS = 1_000;
    private static final long MOST_BYTES = 64L << 20;

    /** The container keeps some that wait for requests, however many have come. */
    private static final int OTHER_THREADS = 60;

    @TempDir
    private Path directory;

    @Test
    void a_thousand_idle_clients_cost_at_most_64_megabytes_and_no_threads() throws Exception {
        List<RawFollower> clients = new ArrayList<>(CLIENTS);
        ChildJvm service = ChildJvm.start(IdleService.class, directory.resolve("idle.db"));
        try {
            URI api = URI.create(said(service, IdleService.ADDRESS, 0));
            // whatever the first client needs is no client's
            clients.add(follow(api, "/sessions/s/feed"));
            service.go();
            long heapBefore = number(service, IdleService.HEAP, 0);
            long threadsBefore = number(service, IdleService.THREADS, 0);

            for (int i = 0; i < CLIENTS; i++) {
                clients.add(follow(api, i % 2 == 0 ? "/sessions/s/feed" : "/feed"));
            }

            service.go();
            long heap = number(service, IdleService.HEAP, 1) - heapBefore;
            long threads = number(service, IdleService.THREADS, 1) - threadsBefore;
            System.out.printf("%d idle clients: %,d bytes of heap, %d threads%n", CLIENTS, heap, threads);
            assertThat(heap).as("bytes of heap for %d idle clients", CLIENTS).isBetween(1L, MOST_BYTES);
            assertThat(threads).as("threads for %d idle clients", CLIENTS).isLessThan(OTHER_THREADS);

            append(api);
            for (RawFollower client : clients) {
                while (client.heard().size() < 2) {
                    assertThat(client.read(1_024)).isTrue();
                }
                assertThat(client.heard().get(1).seq()).isZero();
            }
        } finally {
            for (RawFollower client : clients) {
                client.close();
            }
            service.kill();
        }
    }

    private static RawFollower follow(URI api, String path) throws IOException {
        return RawFollower.of(api.getPort(), api.getPath() + path, "", 0).awaitFirst();
    }

    private static void append(URI api) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(api + "/sessions/s/events"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"type\":\"session/title\",\"data\":{}}"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(201);
    }

    /** What the service says for this time after this word, as soon as it has. */
    private static String said(ChildJvm service, String word, int times) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < end && service.isAlive()) {
            List<String> lines = service.lines();
            List<String> found =
                    lines.stream().filter(line -> line.startsWith(word)).toList();
            if (found.size() > times) {
                return found.get(times).substring(word.length());
            }
            service.awaitLines(lines.size() + 1);
        }
        throw new AssertionError("expected the service to say " + word + ", found " + service.lines());
    }

    private static long number(ChildJvm service, String word, int times) throws InterruptedException {
        return Long.parseLong(said(service, word, times));
    }
}
