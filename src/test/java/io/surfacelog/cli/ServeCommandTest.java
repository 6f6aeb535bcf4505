package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions over HTTP from a process of its own, as a person would start it. */
class ServeCommandTest {

    @TempDir
    private Path directory;

    @Test
    void serves_on_this_machine_only_until_it_is_interrupted() throws Exception {
        Process process = start("serve", "--port", "0");
        try (BufferedReader out = output(process)) {
            String address = served(out);
            assertThat(address).matches("http://127\\.0\\.0\\.1:[0-9]+/api");

            HttpResponse<String> sessions = get(address + "/sessions");
            assertThat(sessions.statusCode()).isEqualTo(200);
            assertThat(sessions.body()).isEqualTo("{\"sessions\":[],\"damaged\":[]}");
            // a slash may be spelt as one here
            assertThat(get(address + "/sessions/a%2Fb").body()).contains("unknown-session");

            process.destroy(); // SIGINT takes the same way, but is ignored below a shell that runs this in the
            // background
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
            assertThat(directory.resolve("data/surfacelog.db")).exists();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void without_a_command_the_sample_is_served_after_it_was_shown() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            // nobody has asked for a certain port, so a taken one is no reason to fail
            Files.writeString(directory.resolve("surfacelog.properties"), "server.port=" + taken.getLocalPort() + "\n");
            Process process = start();
            try (BufferedReader out = output(process)) {
                String address = served(out);
                HttpResponse<String> messages = get(address + "/sessions/sample-parcel-support/messages");
                assertThat(messages.statusCode()).isEqualTo(200);
                assertThat(messages.headers().firstValue("ETag")).hasValue("\"282\"");
            } finally {
                process.destroy();
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    @Tag("slow")
    void another_address_needs_a_token() throws Exception {
        Files.writeString(directory.resolve("surfacelog.properties"), "server.address=0.0.0.0\n");
        Process refused = start("serve", "--port", "0");
        assertThat(refused.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(refused.exitValue()).isEqualTo(1);
        assertThat(Files.readString(directory.resolve("err.txt")))
                .contains("0.0.0.0", "surfacelog.web.token")
                .doesNotContain("\tat ");

        Files.writeString(
                directory.resolve("surfacelog.properties"),
                "server.address=0.0.0.0\nsurfacelog.web.token=0123456789abcdef\n");
        Process process = start("serve", "--port", "0");
        try (BufferedReader out = output(process)) {
            String sessions = served(out).replace("0.0.0.0", "127.0.0.1") + "/sessions";
            assertThat(get(sessions).statusCode()).isEqualTo(401);
            assertThat(get(sessions, "Authorization", "Bearer 0123456789abcdef").statusCode())
                    .isEqualTo(200);
        } finally {
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    @Tag("slow")
    void a_setting_that_is_wrong_is_named_with_what_is_wrong_about_it() throws Exception {
        for (String[] wrong : List.of(
                new String[] {"surfacelog.web.token=short", "surfacelog.web.token of at least 16"},
                new String[] {"surfacelog.health.timeout=0s", "surfacelog.health.timeout from"},
                new String[] {"surfacelog.queue.max-bytes=none", "surfacelog.queue.max-bytes", "'none'"})) {
            Files.writeString(directory.resolve("surfacelog.properties"), wrong[0] + "\n");
            Process refused = start("serve");
            assertThat(refused.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(refused.exitValue()).isEqualTo(1);
            assertThat(Files.readString(directory.resolve("err.txt")))
                    .contains(Arrays.copyOfRange(wrong, 1, wrong.length))
                    .contains("could not be started");
        }
    }

    @Test
    void management_asks_for_the_token_too_but_for_health() throws Exception {
        Files.writeString(
                directory.resolve("surfacelog.properties"),
                "surfacelog.web.token=0123456789abcdef\nmanagement.endpoints.web.exposure.include=*\n");
        Process process = start("serve", "--port", "0");
        try (BufferedReader out = output(process)) {
            String actuator = served(out).replace("/api", "/actuator");
            assertThat(get(actuator + "/health").body()).contains("\"status\":\"UP\"");
            for (String path : List.of(
                    "", "/sessions", "/prometheus", "/health/../sessions", "/health/..;/sessions", ";x/sessions")) {
                HttpResponse<String> refused = get(actuator + path);
                assertThat(refused.statusCode()).as(path).isIn(400, 401);
                assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            }
            String metrics = get(actuator + "/prometheus", "Authorization", "Bearer 0123456789abcdef")
                    .body();
            assertThat(metrics).contains("surfacelog_commit_seconds_count", "surfacelog_appends_total");
            HttpResponse<String> elsewhere = get(actuator.replace("/actuator", "/elsewhere%5C"));
            assertThat(elsewhere.statusCode()).isEqualTo(400);
            assertThat(elsewhere.body()).contains("urn:surfacelog:problem:bad-request");
        } finally {
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Process start(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // what runs for a moment is not worth being compiled well
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Surfacelog.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve("err.txt").toFile())
                .start();
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private String served(BufferedReader out) throws Exception {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("Serving:  ")) {
                return line.replaceAll("Serving: +|,.*", "");
            }
        }
        throw new AssertionError("serves nothing: " + Files.readString(directory.resolve("err.txt")));
    }

    private static HttpResponse<String> get(String uri, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
        return HttpClient.newHttpClient()
                .send(
                        (headers.length == 0 ? request : request.headers(headers)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
