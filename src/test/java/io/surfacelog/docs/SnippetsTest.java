package io.surfacelog.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.docs.Documents.Block;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every Java block of README and docs compiles, and the README's first program runs. */
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

    @TempDir
    private Path directory;

    static Stream<Block> blocks() {
        return Documents.all().stream().flatMap(file -> Documents.blocks(file, "java").stream());
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void a_block_compiles(Block block) throws IOException {
        if (block.code().contains("class ")) {
            compile("SupportDesk", block.code());
        } else if (block.code().startsWith("@Bean")) {
            compile("Snippet", IMPORTS + "class Snippet {\n" + block.code() + "}\n");
        } else {
            compile(
                    "Snippet",
                    IMPORTS
                            + "class Snippet {\nvoid run(SessionCommands commands, SessionQueries queries, Agents agents,"
                            + " SessionId id) throws Exception {\n" + block.code() + "}\n}\n");
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
