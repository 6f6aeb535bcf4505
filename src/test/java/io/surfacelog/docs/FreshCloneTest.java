package io.surfacelog.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * README and docs as written, on a fresh clone, lead to a running agent and its page. {@code .ci/run} runs it with
 * {@code mvn -Pwalk test}; {@code -Dsurfacelog.walk.maven=…} is added to every {@code mvn} of a page.
 */
@Tag("walk")
class FreshCloneTest {

    private static final int DOCUMENTED_PORT = 8080;
    private static final Duration BOUND = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 12, unit = TimeUnit.MINUTES)
    void readme_and_docs_as_written_lead_to_a_running_agent_and_its_page() throws Exception {
        Path clone = directory.resolve("surfacelog");
        git("clone", "-q", Path.of("").toAbsolutePath().toString(), clone.toString());
        int port = port();
        Map<String, String> environment = new HashMap<>(Map.of("PATH", path(clone)));
        if (port != DOCUMENTED_PORT) {
            environment.put("SERVER_PORT", Integer.toString(port));
        }
        try (Walk walk = new Walk(environment, code -> at(port, code), BOUND)) {
            walk.follow(clone.resolve("README.md"), clone);
            String page = walk.printed(Pattern.compile("(?m)^Page: +(\\S+)$"));
            assertPageAt(page);
            assertThat(get(page + "api/sessions/sample-parcel-support/surface")).contains("\"nodes\"");
            walk.follow(clone.resolve("docs/http.md"), clone);
            walk.stop();

            walk.follow(clone.resolve("docs/command-line.md"), clone);

            Path firstAgent = clone.resolve("docs/first-agent.md");
            walk.follow(firstAgent, directory.resolve("parcel-desk"));
            assertPageAt(at(port, linkIn(firstAgent)));
            walk.stop();
        }
    }

    /** The page, and each file it names. */
    private static void assertPageAt(String address) throws Exception {
        String html = get(address);
        List<String> named = Pattern.compile("(?:src|href)=\"([^\"]+)\"")
                .matcher(html)
                .results()
                .map(result -> result.group(1))
                .toList();
        assertThat(named).as(html).anyMatch(name -> name.endsWith(".js"));
        for (String name : named) {
            get(URI.create(address.replaceFirst("/?$", "/")).resolve(name).toString());
        }
    }

    private static String linkIn(Path page) {
        return Pattern.compile("<(http://127\\.0\\.0\\.1[^>]*)>")
                .matcher(Documents.read(page))
                .results()
                .map((MatchResult result) -> result.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError(page + ": expected a link to the page of the agent"));
    }

    private static String at(int port, String text) {
        return text.replace(":" + DOCUMENTED_PORT, ":" + port);
    }

    /** The port that the pages name, or another one where that is taken. */
    private static int port() throws IOException {
        try (ServerSocket socket = new ServerSocket(DOCUMENTED_PORT, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException taken) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            }
        }
    }

    /**
     * A search path on which {@code mvn} is one that adds the arguments of this machine, and {@code surfacelog} what the page
     * on the command line says it stands for.
     */
    private String path(Path clone) throws IOException {
        Path bin = Files.createDirectory(directory.resolve("bin"));
        command(
                bin.resolve("mvn"),
                "mvn --batch-mode --no-transfer-progress " + System.getProperty("surfacelog.walk.maven", ""));
        Matcher meant = Pattern.compile("`surfacelog` stands for `([^`]+)`")
                .matcher(Documents.read(clone.resolve("docs/command-line.md")));
        assertThat(meant.find()).isTrue();
        command(bin.resolve("surfacelog"), meant.group(1));
        return bin + ":" + System.getenv("PATH");
    }

    private static void command(Path file, String words) throws IOException {
        Files.writeString(file, """
                #!/usr/bin/env bash
                PATH=${PATH#*:}
                exec %s "$@"
                """.formatted(words));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void git(String... words) throws Exception {
        Process process = new ProcessBuilder(
                        Stream.concat(Stream.of("git"), Arrays.stream(words)).toList())
                .inheritIO()
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private static String get(String uri) throws Exception {
        HttpResponse<String> response = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(Duration.ofSeconds(30))
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create(uri))
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(uri + "\n" + response.body()).isEqualTo(200);
        return response.body();
    }
}
