package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chat with a model behind an endpoint, set up by the environment. */
class ChatModelTest {

    private static final String ANSWER = """
            data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Good "}}]}

            data: {"choices":[{"index":0,"delta":{"content":"evening."},"finish_reason":"stop"}]}

            data: [DONE]

            """;

    @TempDir
    Path folder;

    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private HttpServer server;

    @BeforeEach
    void start_an_endpoint() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/chat/completions", exchange -> {
            asked.add(exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(ANSWER.getBytes(UTF_8));
            }
        });
        server.start();
    }

    @AfterEach
    void stop_it() {
        server.stop(0);
    }

    @Test
    void a_model_without_an_endpoint_is_refused_with_what_to_do() {
        CommandRun run = CommandRun.of("--db", folder.resolve("log.db").toString(), "chat", "--model", "large");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("\"large\"", "surfacelog.model.openai.base-url", "--model demo");
    }

    @Test
    @Tag("slow")
    void asks_the_model_that_the_environment_names() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Surfacelog.class.getName(),
                "--db",
                folder.resolve("log.db").toString(),
                "chat",
                "--model",
                "large"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .putAll(Map.of(
                        "SURFACELOG_MODEL_OPENAI_BASEURL",
                        "http://localhost:" + server.getAddress().getPort() + "/v1",
                        "SURFACELOG_MODEL_OPENAI_KEYVARIABLE",
                        "CHAT_TEST_KEY",
                        "CHAT_TEST_KEY",
                        "k-1"));
        Process process = builder.start();
        try (OutputStream in = process.getOutputStream()) {
            in.write("Hello?\n".getBytes(UTF_8));
        }
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(out + err).isZero();
        assertThat(out).isEqualTo("[main turn 1]\n> Hello?\nGood evening.\n");
        assertThat(err).contains("Asks large at http://localhost:").doesNotContain("k-1");
        assertThat(asked.poll()).startsWith("Bearer k-1 ").contains("\"large\"", "Hello?", "calculator");
    }
}
