package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdCompressCtx;
import io.surfacelog.event.SessionId;
import io.surfacelog.stream.StreamPosition;
import io.surfacelog.testing.Seeds;
import io.surfacelog.web.Served.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Requests that are wrong in a way of their own: each has one answer, a problem, and leaves no trace. */
class HostileRequestsTest {

    private static final String TITLE = "{\"type\":\"session/title\",\"data\":{}}";

    @TempDir
    private Path directory;

    @Configuration(proxyBeanMethods = false)
    static class AloneInItsContainer {
        @Bean
        ContainerProblems containerProblems() {
            return new ContainerProblems();
        }
    }

    private Served served(String... settings) {
        return Served.in(directory, new Class<?>[] {Served.Application.class, AloneInItsContainer.class}, settings);
    }

    @Test
    void what_the_container_refuses_is_a_problem_too_and_names_no_software() throws IOException {
        try (Served served = served()) {
            String base = "GET " + Served.BASE;
            for (String head : List.of(
                    base + "/sessions/%00 HTTP/1.1\r\nHost: localhost\r\n",
                    base + "/sessions/%C0%AF HTTP/1.1\r\nHost: localhost\r\n",
                    base + "/sessions/%ED%A0%80 HTTP/1.1\r\nHost: localhost\r\n",
                    base + "/sessions/a%5Cb HTTP/1.1\r\nHost: localhost\r\n",
                    base + "/sessions/%2 HTTP/1.1\r\nHost: localhost\r\n",
                    base + "/sessions/<script> HTTP/1.1\r\nHost: localhost\r\n",
                    base + "/sessions/" + "a".repeat(10_000) + " HTTP/1.1\r\nHost: localhost\r\n",
                    base + "/sessions HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n",
                    base + "/sessions HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n",
                    "GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n",
                    "TRACE " + Served.BASE + "/sessions HTTP/1.1\r\nHost: localhost\r\n",
                    "CONNECT " + Served.BASE + "/sessions HTTP/1.1\r\nHost: localhost\r\n")) {
                String answer = raw(served, head, "", false);
                assertThat(answer)
                        .as(head.substring(0, Math.min(80, head.length())))
                        .matches("(?s)HTTP/1\\.1 (400|404|405|501) .*")
                        .containsIgnoringCase("content-type: application/problem+json")
                        .contains("Content-Security-Policy: default-src 'none'")
                        .doesNotContain("<html", "Tomcat", "java.", "script");
            }
        }
    }

    @Test
    void a_body_that_breaks_off_or_is_put_together_wrongly_is_a_bad_request_and_appends_nothing() throws IOException {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            String post = "POST " + Served.BASE + "/sessions/s/events HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\n";
            String chunk = Integer.toHexString(TITLE.length()) + "\r\n" + TITLE + "\r\n";
            for (String[] one : List.of(
                    new String[] {post + "Content-Length: 5000\r\n", TITLE},
                    new String[] {post + "Transfer-Encoding: chunked\r\n", chunk},
                    new String[] {post + "Transfer-Encoding: chunked\r\n", "zz\r\n" + TITLE + "\r\n0\r\n\r\n"},
                    new String[] {post + "Transfer-Encoding: chunked\r\n", "ffffffffffffffff\r\n" + TITLE})) {
                assertThat(raw(served, one[0], one[1], true))
                        .as(one[1])
                        .startsWith("HTTP/1.1 400")
                        .contains("application/problem+json", "urn:surfacelog:problem:bad-request");
            }
            assertThat(served.queries().nextSeq(SessionId.of("s"))).isZero();
        }
    }

    @Test
    void a_body_that_does_not_say_what_it_is_does_not_count_as_none() throws IOException {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            for (String operation : List.of("erase", "fork", "compact", "recover", "prune", "verify")) {
                String answer = raw(
                        served,
                        "POST " + Served.BASE + "/sessions/s/" + operation
                                + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16\r\n",
                        "{\"cascade\":true}",
                        false);
                assertThat(answer).as(operation).startsWith("HTTP/1.1 415");
            }
            assertThat(served.queries().exists(SessionId.of("s"))).isTrue();
            Answer coded = served.post("/sessions/s/events", TITLE, "Content-Encoding", "gzip");
            assertThat(coded.status()).isEqualTo(415);
            assertThat(coded.problem()).isEqualTo("media-type");
        }
    }

    @Test
    void an_id_too_long_for_any_header_is_created_and_answered() {
        try (Served served = served()) {
            Answer created = served.post("/sessions", "{\"id\":\"" + "a".repeat(100_000) + "\"}");
            assertThat(created.status()).isEqualTo(201);
            assertThat(created.header("Location")).isEmpty();
        }
    }

    @Test
    void what_a_problem_quotes_is_cut() {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            String large = "😀".repeat(500_000);
            for (Answer answer : List.of(
                    served.post("/sessions/s/events", "{\"type\":\"" + large + "\",\"data\":{}}"),
                    served.post("/sessions/s/events", "{\"type\":\"session/title\",\"data\":{},\"" + large + "\":1}"),
                    served.post("/sessions/s/fork", "{\"" + large + "\":1}"))) {
                assertThat(answer.status()).isBetween(400, 422);
                assertThat(answer.text()).hasSizeLessThan(10_000).doesNotContain("\\ud83d\"", "\\ud83d …");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"W/\"0\"", "\"0\",\"1\"", "\"\"", "\"", "-1", "garbage", "\"18446744073709551616\""})
    void a_condition_that_cannot_be_meant_is_refused(String match) {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            Answer answer = served.post("/sessions/s/events", TITLE, "If-Match", match);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.problem()).isEqualTo("bad-request");
        }
    }

    @Test
    void a_condition_is_kept_to_or_refused_and_never_passed_over() {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            assertThat(served.post("/sessions/s/events", TITLE, "If-Match", "\"0\"", "If-Match", "\"1\"")
                            .status())
                    .isEqualTo(400);
            assertThat(served.post("/sessions/s/events", TITLE, "Idempotency-Key", "a", "Idempotency-Key", "b")
                            .status())
                    .isEqualTo(400);
            for (String header : List.of("If-Match", "Idempotency-Key")) {
                assertThat(served.send(served.request("/sessions/s", header, "\"7\"")
                                        .DELETE()
                                        .build())
                                .status())
                        .isEqualTo(400);
                assertThat(served.post("/sessions/s/fork", "{}", header, "\"7\"")
                                .status())
                        .isEqualTo(400);
            }
            assertThat(served.queries().exists(SessionId.of("s"))).isTrue();
            assertThat(served.queries().nextSeq(SessionId.of("s"))).isZero();
        }
    }

    @Test
    void a_range_to_compact_is_widened_only_if_there_is_one() {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            for (String body :
                    List.of("{\"widened\":true}", "{\"widened\":\"yes\"}", "{\"start\":0,\"widened\":true}")) {
                assertThat(served.post("/sessions/s/compact", body).status())
                        .as(body)
                        .isEqualTo(400);
            }
        }
    }

    @Test
    void head_says_what_get_would_without_the_body() throws IOException {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            String head = "HEAD " + Served.BASE + "/sessions/s";
            assertThat(raw(served, head + " HTTP/1.1\r\nHost: localhost\r\n", "", false))
                    .startsWith("HTTP/1.1 200")
                    .contains("ETag: \"0\"")
                    .endsWith("\r\n\r\n");
            for (String streamed : List.of("/feed", "/export")) {
                assertThat(raw(served, head + streamed + " HTTP/1.1\r\nHost: localhost\r\n", "", false))
                        .startsWith("HTTP/1.1 405")
                        .contains("Allow: GET\r\n");
            }
        }
    }

    @Test
    void of_appends_with_the_same_condition_exactly_one_wins() throws Exception {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            ExecutorService clients = Executors.newFixedThreadPool(8);
            try {
                for (int round = 0; round < 20; round++) {
                    String tag = "\"" + round + "\"";
                    List<Callable<Integer>> all = new ArrayList<>();
                    for (int client = 0; client < 8; client++) {
                        String body = "{\"type\":\"session/title\",\"data\":{\"by\":" + client + "}}";
                        all.add(() -> served.post("/sessions/s/events", body, "If-Match", tag)
                                .status());
                    }
                    List<Integer> statuses = new ArrayList<>();
                    for (Future<Integer> one : clients.invokeAll(all)) {
                        statuses.add(one.get());
                    }
                    assertThat(statuses).containsOnlyOnce(201).containsOnly(201, 412);
                }
            } finally {
                clients.shutdownNow();
            }
            assertThat(served.queries().nextSeq(SessionId.of("s"))).isEqualTo(20);
        }
    }

    private static byte[] frame(String text) {
        return new ZstdCompressCtx().setChecksum(true).compress(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_small_upload_that_unpacks_to_more_than_is_taken_is_refused() throws IOException {
        byte[] header =
                frame("{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1,\"delegationDepth\":0}\n");
        ByteArrayOutputStream events = new ByteArrayOutputStream();
        events.write(header);
        String line = "{\"type\":\"session/title\",\"seq\":%d,\"time\":1,\"data\":\"" + "x".repeat(100_000) + "\"}\n";
        for (int seq = 0; seq < 30; seq++) {
            events.write(frame(line.formatted(seq)));
        }
        ByteArrayOutputStream endless = new ByteArrayOutputStream();
        endless.write(header);
        endless.write(frame(" ".repeat(3_000_000)));
        try (Served served = served("surfacelog.web.max-import=1MB")) {
            for (byte[] bomb : List.of(events.toByteArray(), endless.toByteArray())) {
                assertThat(bomb).hasSizeLessThan(100_000);
                assertTooLarge(served, bomb);
            }
            assertThat(served.queries().exists(SessionId.of("s"))).isFalse();
        }
    }

    private static void assertTooLarge(Served served, byte[] upload) {
        for (String query : List.of("", "?keepUnknown", "?stampMarkers")) {
            Answer answer = served.send(served.request("/import" + query, "Content-Type", "application/zstd")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(upload))
                    .build());
            assertThat(answer.status()).as(query + answer.text()).isEqualTo(413);
            assertThat(answer.json().longValue("limit")).hasValue(1 << 20);
        }
    }

    @Test
    void a_store_that_is_gone_is_told_without_its_place_on_this_machine() throws IOException {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            Files.delete(directory.resolve("served.db"));
            Answer answer = served.post("/sessions/s/events", TITLE);
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.problem()).isEqualTo("store-unavailable");
            assertThat(answer.text()).contains("served.db").doesNotContain(directory.toString());
        }
    }

    @Test
    void any_bytes_in_place_of_a_request_get_a_problem_or_nothing() {
        try (Served served = served()) {
            served.post("/sessions", "{\"id\":\"s\"}");
            Seeds.forEach(60, seed -> {
                Random random = new Random(seed);
                byte[] bytes = ("POST " + Served.BASE + "/sessions/s/events HTTP/1.1\r\nHost: localhost\r\n"
                                + "Content-Type: application/json\r\nContent-Length: " + TITLE.length()
                                + "\r\nConnection: close\r\n\r\n" + TITLE)
                        .getBytes(StandardCharsets.UTF_8);
                for (int i = random.nextInt(4); i >= 0; i--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                String answer = raw(served, bytes, true);
                if (!answer.isEmpty() && !answer.matches("(?s)HTTP/1\\.1 2.*")) {
                    assertThat(answer)
                            .matches("(?s)HTTP/1\\.1 4.*|HTTP/1\\.1 50[15].*")
                            .contains("application/problem+json");
                }
            });
            assertThat(served.get("/sessions/s").status()).isEqualTo(200);
        }
    }

    @Test
    void large_events_are_read_a_few_at_a_time() {
        try (Served served = served()) {
            SessionId id = SessionId.of("s");
            served.post("/sessions", "{\"id\":\"s\"}");
            String large = "{\"type\":\"session/title\",\"data\":\"" + "x".repeat(1_000_000) + "\"}";
            served.post("/sessions/s/events", "[" + String.join(",", Collections.nCopies(12, large)) + "]");
            FeedReading reading = new FeedReading(served.store());
            FeedReading.Page page = reading.after(StreamPosition.BEGINNING, id, 0);
            assertThat(page.frames()).hasSize(1);
            assertThat(page.atEnd()).isFalse();
            assertThat(served.get("/sessions/s/events")
                            .json()
                            .array("events")
                            .orElseThrow()
                            .size())
                    .isEqualTo(12);
        }
    }

    private static String raw(Served served, String head, String body, boolean ends) throws IOException {
        return raw(served, (head + "Connection: close\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8), ends);
    }

    private static String raw(Served served, byte[] request, boolean ends) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request);
            if (ends) {
                socket.shutdownOutput();
            }
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
