package io.surfacelog.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The inspector page as it is sent: what there is, what there is not, and what a browser is told of it. */
class PageTest {

    private static final Path SOURCES = Path.of("src/main/resources/io/surfacelog/web/page");

    /** What a file of the page may load. */
    private static final Pattern LOADED =
            Pattern.compile("(?:from |import )\"(\\.[^\"]+)\"|(?:href|src)=\"(inspector/[^\"]+)\"");

    @TempDir
    private Path directory;

    private Served served(String... settings) {
        return Served.in(
                directory,
                Stream.concat(Stream.of("surfacelog.web.page.enabled=true"), Stream.of(settings))
                        .toArray(String[]::new));
    }

    private static HttpResponse<String> get(Served served, String path, String... headers) throws Exception {
        return send(served, "GET", path, headers);
    }

    private static HttpResponse<String> send(Served served, String method, String path, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        return served.http.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void an_application_with_an_api_has_no_page_unless_it_asks_for_one() throws Exception {
        try (Served served = Served.in(directory)) {
            assertThat(get(served, "/surfacelog/").statusCode()).isEqualTo(404);
            assertThat(get(served, "/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void it_is_at_its_path_and_leaves_everything_beside_it_alone() throws Exception {
        try (Served served = served()) {
            HttpResponse<String> moved = get(served, "/surfacelog");
            assertThat(moved.statusCode()).isEqualTo(301);
            assertThat(header(moved, "Location")).isEqualTo("surfacelog/");
            assertThat(get(served, "/surfacelog/").body()).contains("data-api=\"../surfacelog/api\"");
            assertThat(get(served, "/surfacelog/api/sessions").statusCode()).isEqualTo(200);
            assertThat(get(served, "/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void it_finds_the_api_from_wherever_it_is() throws Exception {
        try (Served served = served("surfacelog.web.page.path=/")) {
            assertThat(get(served, "/").body()).contains("data-api=\"surfacelog/api\"");
            assertThat(get(served, "/inspector/app.js").statusCode()).isEqualTo(200);
            assertThat(get(served, "/app.js").statusCode()).isEqualTo(404);
        }
        try (Served served = served("surfacelog.web.page.path=/a/b", "surfacelog.web.base-path=/c")) {
            assertThat(get(served, "/a/b/").body()).contains("data-api=\"../../c\"");
        }
    }

    @Test
    void whatever_it_loads_is_there_and_whatever_is_there_is_loaded() throws Exception {
        try (Served served = served()) {
            Set<String> met = new HashSet<>(Set.of("/surfacelog/"));
            Deque<String> left = new ArrayDeque<>(met);
            while (!left.isEmpty()) {
                String path = left.remove();
                HttpResponse<String> file = get(served, path);
                assertThat(file.statusCode()).as(path).isEqualTo(200);
                assertThat(header(file, "Content-Type")).as(path).isEqualTo(typeOf(path));
                Matcher loaded = LOADED.matcher(file.body());
                while (loaded.find()) {
                    String relative = loaded.group(1) == null ? loaded.group(2) : loaded.group(1);
                    String found = URI.create(path).resolve(relative).getPath();
                    if (met.add(found)) {
                        left.add(found);
                    }
                }
            }
            Set<String> all = new HashSet<>(Set.of("/surfacelog/"));
            PageFiles.NAMES.stream()
                    .filter(name -> !name.equals(PageFiles.INDEX))
                    .forEach(name -> all.add("/surfacelog/inspector/" + name));
            PageFiles.LIBRARIES.keySet().forEach(name -> all.add("/surfacelog/inspector/" + name));
            assertThat(met).isEqualTo(all);
        }
    }

    private static String typeOf(String path) {
        return switch (path.substring(path.lastIndexOf('.') + 1)) {
            case "js" -> "text/javascript;charset=utf-8";
            case "css" -> "text/css;charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> "text/html;charset=utf-8";
        };
    }

    @Test
    void a_browser_is_told_to_run_nothing_else_and_to_make_no_markup_of_any_text() throws Exception {
        try (Served served = served()) {
            for (String path :
                    List.of("/surfacelog/", "/surfacelog/inspector/app.js", "/surfacelog/none", "/surfacelog")) {
                HttpResponse<String> answer = get(served, path);
                String policy = header(answer, "Content-Security-Policy");
                assertThat(policy)
                        .as(path)
                        .contains(
                                "default-src 'none'",
                                "script-src 'self';",
                                "style-src 'self';",
                                "frame-ancestors 'none'",
                                "base-uri 'none'",
                                "form-action 'none'",
                                "require-trusted-types-for 'script'; trusted-types 'none'")
                        .doesNotContain("unsafe", "*", "http:", "data:");
                assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
                assertThat(header(answer, "Referrer-Policy")).isEqualTo("no-referrer");
                assertThat(header(answer, "Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
            }
        }
    }

    @Test
    void a_file_that_a_browser_has_is_not_sent_again() throws Exception {
        try (Served served = served()) {
            HttpResponse<String> first = get(served, "/surfacelog/inspector/app.js");
            String tag = header(first, "ETag");
            assertThat(tag).matches("\"[0-9a-f]{32}\"");
            assertThat(header(first, "Cache-Control")).isEqualTo("no-cache");
            HttpResponse<String> again =
                    get(served, "/surfacelog/inspector/app.js", "If-None-Match", "\"x\", W/" + tag);
            assertThat(again.statusCode()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(get(served, "/surfacelog/inspector/api.js", "If-None-Match", tag)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void it_is_read_and_nothing_else() throws Exception {
        try (Served served = served()) {
            HttpResponse<String> head = send(served, "HEAD", "/surfacelog/");
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(header(head, "Content-Length")).isNotEqualTo("0");
            assertThat(head.body()).isEmpty();
            for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "PATCH")) {
                HttpResponse<String> refused = send(served, method, "/surfacelog/");
                assertThat(refused.statusCode()).as(method).isEqualTo(405);
                assertThat(header(refused, "Allow")).isEqualTo("GET, HEAD");
            }
        }
    }

    @Test
    void no_path_leads_to_any_other_file() throws Exception {
        try (Served served = served()) {
            for (String path : List.of(
                    "/surfacelog/inspector/",
                    "/surfacelog/inspector",
                    "/surfacelog/inspector/index.html",
                    "/surfacelog/index.html",
                    "/surfacelog/app.js",
                    "/surfacelog/inspector/App.js",
                    "/surfacelog/inspector/app.js/",
                    "/surfacelog/inspector/app.js;x=1",
                    "/surfacelog/inspector/app%2Ejs",
                    "/surfacelog/inspector//app.js",
                    "/surfacelog/inspector/lib/",
                    "/surfacelog/inspector/../openapi.json",
                    "/surfacelog/inspector/lib/../../../openapi.json",
                    "/surfacelog/inspector/%2e%2e/openapi.json",
                    "/surfacelog/inspector/%2e%2e%2fopenapi.json",
                    "/surfacelog/inspector/..%5copenapi.json",
                    "/surfacelog/inspector/%00app.js",
                    "/surfacelog/inspector/file:/etc/hostname",
                    "/surfacelog//etc/hostname",
                    "/surfacelog/META-INF/MANIFEST.MF",
                    "/surfacelog/WEB-INF/web.xml")) {
                // by hand, since a client tidies a path before it sends it
                String status = statusOf(served, path);
                assertThat(status).as(path).containsAnyOf(" 400", " 404");
            }
        }
    }

    private static String statusOf(Served served, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    @Test
    void it_is_there_without_the_token_that_the_api_asks_for() throws Exception {
        try (Served served = served("surfacelog.web.token=0123456789abcdef")) {
            assertThat(get(served, "/surfacelog/").statusCode()).isEqualTo(200);
            assertThat(get(served, "/surfacelog/").body()).doesNotContain("0123456789abcdef");
            assertThat(get(served, "/surfacelog/api/sessions").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void no_file_of_ours_makes_markup_of_text_or_runs_text_or_asks_another_server() throws Exception {
        Pattern forbidden = Pattern.compile(
                "innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\\.write|\\beval\\(|new Function"
                        + "|setAttribute\\(\"style|cssText|createContextualFragment|DOMParser|srcdoc|javascript:|https?://(?!www\\.w3\\.org/2000/svg)");
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> ours = files.filter(Files::isRegularFile).toList();
            assertThat(ours).hasSize(PageFiles.NAMES.size());
            for (Path file : ours) {
                String text = Files.readString(file);
                assertThat(forbidden.matcher(text).results().map(found -> found.group()))
                        .as(file.toString())
                        .isEmpty();
                assertThat(text.lines().count())
                        .as("lines of " + file)
                        .isLessThan(file.toString().endsWith(".css") ? 700 : 300);
            }
        }
    }

    @Test
    void a_page_holds_no_script_and_no_style_of_its_own() throws Exception {
        String page = Files.readString(SOURCES.resolve(PageFiles.INDEX));
        assertThat(page).doesNotContain("<style", " style=", "onload", "onclick");
        assertThat(Pattern.compile("<script(?![^>]* src=)").matcher(page).find())
                .isFalse();
    }
}
