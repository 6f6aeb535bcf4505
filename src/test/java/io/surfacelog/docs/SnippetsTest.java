package io.surfacelog.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surfacelog.docs.Documents.Block;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every Java block of README and docs compiles and runs. */
class SnippetsTest {

    private static final String IMPORTS = """
            import io.surfacelog.agent.*;
            import io.surfacelog.command.*;
            import io.surfacelog.compaction.*;
            import io.surfacelog.event.*;
            import io.surfacelog.model.*;
            import io.surfacelog.projection.*;
            import io.surfacelog.provider.*;
            import io.surfacelog.store.*;
            import io.surfacelog.stream.*;
            import io.surfacelog.surface.*;
            import io.surfacelog.transfer.*;
            import java.nio.file.*;
            import java.util.*;
            import org.springframework.context.annotation.*;
            """;

    /** Behind the language of a block whose session has no events yet; the others have the bundled one. */
    private static final String EMPTY = "empty";

    private static final Set<String> PROGRAMS = Set.of("SupportDesk", "ParcelDesk");
    private static final Pattern PROGRAM = Pattern.compile("(?m)^(?:public |final )*class (\\w+)");

    @TempDir
    private Path directory;

    static Stream<Block> blocks() {
        return Documents.all().stream().flatMap(file -> Documents.blocks(file, "java").stream());
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void a_block_compiles_and_runs(Block block) throws Exception {
        Matcher program = PROGRAM.matcher(block.code());
        if (program.find()) {
            assertThat(PROGRAMS).as("programs that the tests below run").contains(program.group(1));
            compile(program.group(1), block.code());
        } else if (block.code().startsWith("@Bean")) {
            compile("Snippet", IMPORTS + "class Snippet {\n" + block.code() + "}\n");
            run(block, SnippetRun::beans);
        } else {
            compile(
                    "Snippet",
                    IMPORTS + "class Snippet {\nvoid run(" + SnippetRun.PARAMETERS + ") throws Exception {\n"
                            + block.code() + "}\n}\n");
            run(block, SnippetRun::statements);
        }
    }

    private void run(Block block, Consumer<SnippetRun> how) throws Exception {
        assertThat(block.mark()).isIn("", EMPTY);
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            how.accept(new SnippetRun(loader.loadClass("Snippet"), block.mark().equals(EMPTY)));
        }
    }

    @Test
    void the_first_program_of_the_readme_runs() throws Exception {
        Block program = Documents.blocks(Documents.readme(), "java").get(0);
        compile("SupportDesk", program.code());
        Path out = directory.resolve("out.txt");

        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        directory + File.pathSeparator + consumerClassPath(),
                        "com.example.desk.SupportDesk")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();

        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        String output = Files.readString(out);
        assertThat(process.exitValue()).as(output).isZero();
        assertThat(output).contains("\nuser: Where is my parcel?\n");
        assertThat(directory.resolve("data/surfacelog.db")).exists();
    }

    @Test
    void the_first_agent_runs_compacts_and_is_shown_on_its_page() throws Exception {
        Path page = Path.of("docs/first-agent.md");
        Files.writeString(
                directory.resolve("application.properties"),
                Documents.blocks(page, "properties").get(0).code());
        compile("ParcelDesk", Documents.blocks(page, "java").get(0).code());
        Path out = directory.resolve("out.txt");
        int port = freePort();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        directory + File.pathSeparator + webClassPath(),
                        "com.example.desk.ParcelDesk",
                        "--server.port=" + port)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> !process.isAlive() || said(out).find());
            assertThat(said(out).find()).as(Files.readString(out)).isTrue();
            String address = "http://127.0.0.1:" + port + "/surfacelog";

            assertThat(get(address + "/")).contains("<html");
            assertThat(get(address + "/api/sessions/parcel-desk/replacements")).contains("\"shadowed\":");
        } finally {
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The line that the page promises. */
    private static Matcher said(Path out) throws IOException {
        String promised =
                Documents.blocks(Path.of("docs/first-agent.md"), "text").get(0).code();
        return Pattern.compile("(?m)^" + Pattern.quote(promised.strip()) + "$").matcher(Files.readString(out));
    }

    private static String get(String uri) throws Exception {
        return HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()
                .send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private void compile(String name, String code) throws IOException {
        Path source = Files.writeString(directory.resolve(name + ".java"), code);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            messages,
                            files,
                            null,
                            List.of("-proc:none", "-cp", classPath(), "-d", directory.toString()),
                            null,
                            files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** As a consumer has it who has asked for a web server and for the page. */
    private static String webClassPath() {
        return Arrays.stream(classPath().split(File.pathSeparator))
                .filter(entry -> !entry.matches(
                        ".*(spring-boot-(starter-)?jdbc|spring-boot-.*test|spring-boot-sql|test-classes).*"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Without what is optional and what is for tests: a consumer has none of it, and Boot's own JDBC would ask for a URL. */
    private static String consumerClassPath() {
        return Arrays.stream(classPath().split(File.pathSeparator))
                .filter(
                        entry -> !entry.matches(
                                ".*(spring-boot-(starter-)?jdbc|spring-boot-.*test|spring-boot-sql|test-classes|spring-boot-actuator"
                                        + "|spring-boot-health|spring-boot-micrometer|webmvc|spring-web|tomcat|micrometer-core).*"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
