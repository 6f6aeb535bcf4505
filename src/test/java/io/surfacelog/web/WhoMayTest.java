package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surfacelog.web.Served.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may use the API, and what a hostile client is answered. */
class WhoMayTest {

    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    private Path directory;

    @Test
    void a_token_is_asked_for_on_every_request() {
        try (Served served = Served.in(directory, "surfacelog.web.token=" + TOKEN)) {
            for (String path : List.of("/sessions", "/openapi.json", "/feed", "/nope")) {
                Answer answer = served.get(path);
                assertThat(answer.status()).as(path).isEqualTo(401);
                assertThat(answer.problem()).isEqualTo("unauthorized");
                assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
                assertThat(answer.text()).doesNotContain(TOKEN);
            }
            for (String wrong : List.of("Bearer ", "Bearer " + TOKEN + "0", "Basic " + TOKEN, TOKEN)) {
                assertThat(served.get("/sessions", "Authorization", wrong).status())
                        .as(wrong)
                        .isEqualTo(401);
            }
            assertThat(served.get("/sessions", "Authorization", "bearer " + TOKEN)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void without_protection_no_other_address_is_served() {
        assertThatThrownBy(() -> Served.in(directory, "server.address=0.0.0.0"))
                .rootCause()
                .isInstanceOf(UnprotectedWebException.class)
                .hasMessageContainingAll("0.0.0.0", "surfacelog.web.token", "surfacelog.web.allow-unprotected");
        try (Served served = Served.in(directory, "server.address=0.0.0.0", "surfacelog.web.allow-unprotected=true")) {
            assertThat(served.get("/sessions").status()).isEqualTo(200);
        }
        try (Served served = Served.in(directory, "server.address=0.0.0.0", "surfacelog.web.token=" + TOKEN)) {
            assertThat(served.get("/sessions").status()).isEqualTo(401);
        }
    }

    @Test
    void a_name_that_was_made_to_lead_here_is_not_served() throws IOException {
        try (Served served = Served.in(directory, "surfacelog.web.allowed-hosts=my-machine")) {
            for (String host : List.of("evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "")) {
                assertThat(raw(served, "GET " + Served.BASE + "/sessions HTTP/1.1\r\nHost: " + host + "\r\n"))
                        .as(host)
                        .startsWith("HTTP/1.1 421");
            }
            for (String host : List.of("localhost", "localhost:99", "127.0.0.1:1", "[::1]:80", "MY-machine")) {
                assertThat(raw(served, "GET " + Served.BASE + "/sessions HTTP/1.1\r\nHost: " + host + "\r\n"))
                        .as(host)
                        .startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void a_page_of_another_site_cannot_write() throws IOException {
        try (Served served = Served.in(directory)) {
            String here = "127.0.0.1:" + served.port();
            assertForeign(served, "Sec-Fetch-Site: cross-site");
            assertForeign(served, "Sec-Fetch-Site: same-site");
            assertForeign(served, "Origin: https://evil.example");
            assertForeign(served, "Origin: null");
            assertForeign(served, "Origin: http://" + here + ".evil.example");
            assertForeign(served, "Origin: http://127.0.0.1:1");
            assertThat(served.get("/sessions")
                            .json()
                            .array("sessions")
                            .orElseThrow()
                            .size())
                    .isZero();

            assertThat(create(served, "Origin: http://" + here + "\r\nSec-Fetch-Site: same-origin"))
                    .startsWith("HTTP/1.1 201");
            assertThat(raw(
                            served,
                            "GET " + Served.BASE + "/sessions HTTP/1.1\r\nHost: " + here
                                    + "\r\nOrigin: https://evil.example\r\n"))
                    .startsWith("HTTP/1.1 200")
                    .doesNotContain("Access-Control-Allow");
        }
    }

    private static void assertForeign(Served served, String header) throws IOException {
        assertThat(create(served, header)).as(header).startsWith("HTTP/1.1 403").contains("foreign-origin");
    }

    private static String create(Served served, String header) throws IOException {
        return raw(
                served,
                "POST " + Served.BASE + "/sessions HTTP/1.1\r\nHost: 127.0.0.1:" + served.port()
                        + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n" + header + "\r\n",
                "{}");
    }

    @Test
    void a_body_is_counted_whatever_it_announces() {
        try (Served served = Served.in(directory, "surfacelog.web.max-body=4KB", "surfacelog.web.max-import=4KB")) {
            byte[] large = ("{\"x\":\"" + "x".repeat(100_000) + "\"}").getBytes(StandardCharsets.UTF_8);
            for (String path : List.of("/sessions", "/import")) {
                String type = path.equals("/import") ? "application/jsonl" : "application/json";
                Answer announced = served.send(served.request(path, "Content-Type", type)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(large))
                        .build());
                assertThat(announced.status()).isEqualTo(413);
                Answer streamed = served.send(served.request(path, "Content-Type", type)
                        .POST(HttpRequest.BodyPublishers.ofByteArrays(List.of(large)))
                        .build());
                assertThat(streamed.status()).isEqualTo(413);
                assertThat(streamed.json().longValue("limit")).hasValue(4_096);
            }
        }
    }

    @Test
    void what_is_no_json_no_text_or_too_deep_is_refused() {
        try (Served served = Served.in(directory)) {
            served.post("/sessions", "{\"id\":\"s\"}");
            assertRefused(served, 400, "json.syntax", "{\"type\":".getBytes(StandardCharsets.UTF_8));
            assertRefused(served, 400, "json.syntax", new byte[0]);
            assertRefused(served, 400, "json.syntax", new byte[] {'"', (byte) 0xC3, '"'});
            assertRefused(
                    served, 422, "json.lossless", "{\"type\":\"a/b\",\"data\":-0}".getBytes(StandardCharsets.UTF_8));
            String deep = "[".repeat(2_001) + "]".repeat(2_001);
            assertRefused(served, 413, "limit.depth", deep.getBytes(StandardCharsets.UTF_8));
            assertRefused(
                    served,
                    413,
                    "limit.event-bytes",
                    ("{\"type\":\"session/title\",\"data\":\"" + "x".repeat(17_000_000) + "\"}")
                            .getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void assertRefused(Served served, int status, String rule, byte[] body) {
        Answer answer = served.send(served.request("/sessions/s/events", "Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build());
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.json().string("rule")).hasValue(rule);
    }

    @Test
    void no_path_of_a_request_leads_into_the_file_system() throws IOException {
        Files.writeString(directory.resolve("secret.txt"), "a secret");
        try (Served served = Served.in(directory)) {
            for (String path : List.of(
                    "/../../../../etc/passwd",
                    Served.BASE + "/../../../etc/passwd",
                    Served.BASE + "/sessions/../../../../etc/passwd",
                    Served.BASE + "/sessions/%2e%2e/%2e%2e/etc/passwd",
                    Served.BASE + "/sessions/..%2f..%2fetc%2fpasswd",
                    Served.BASE + "/sessions/..%5c..%5csecret.txt/events",
                    Served.BASE + "/sessions/s%00/events",
                    Served.BASE + "/sessions/;x/events",
                    Served.BASE + "//sessions",
                    "/META-INF/spring.factories",
                    "/secret.txt")) {
                String answer = raw(served, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n");
                assertThat(answer)
                        .as(path)
                        .matches("(?s)HTTP/1\\.1 (400|404).*")
                        .doesNotContain("secret\n", "root:");
            }
        }
    }

    private static String raw(Served served, String head) throws IOException {
        return raw(served, head, "");
    }

    private static String raw(Served served, String head, String body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
            socket.getOutputStream()
                    .write((head + "Connection: close\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
