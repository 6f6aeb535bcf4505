package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The commands that use the store, in processes of their own with the locale of a bare container. */
@EnabledOnOs(OS.LINUX)
class ForkedStoreTest {

    @TempDir
    Path folder;

    private record Run(int exitCode, String out, String err) {}

    /** A shell types the octets; this process may have no locale to hand them over in. */
    private Run shell(String script) throws IOException, InterruptedException {
        Path file = Files.writeString(
                folder.resolve("script"), "surfacelog() { " + surfacelog() + " \"$@\"; }\n" + script, UTF_8);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder("bash", file.toString())
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), read(out), read(err));
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), UTF_8);
    }

    private static String surfacelog() {
        StringBuilder classPath = new StringBuilder();
        for (String part : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
            // an empty part is the working directory: what lies there does not belong to the program
            if (!part.isEmpty()) {
                classPath.append(Path.of(part).toAbsolutePath()).append(java.io.File.pathSeparator);
            }
        }
        return "'" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "' -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '" + classPath
                + "' io.surfacelog.cli.Surfacelog";
    }

    @Test
    void names_beyond_ascii_are_taken_and_printed_as_typed_though_the_locale_is_ascii() throws Exception {
        LogFile.of("süß-漢").user("grüße").in(folder, "plain.jsonl");

        Run run = shell("""
                cp plain.jsonl é.jsonl
                surfacelog --db dé/ü.db import é.jsonl &&
                surfacelog --db dé/ü.db messages süß-漢 &&
                surfacelog --db dé/ü.db export süß-漢 --output ö.jsonl &&
                cat ö.jsonl && ls dé
                """);

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .startsWith("süß-漢: 1 event, 1 node\n0  user  (user)\n    grüße\n{\"type\":\"session\"")
                .endsWith("\nü.db\n");
    }

    @Test
    @Tag("slow")
    void the_database_is_where_the_settings_say_unless_the_option_says_otherwise() throws Exception {
        LogFile.of("s").in(folder);

        Run run = shell("""
                surfacelog list
                SURFACELOG_SQLITE_PATH=elsewhere.db surfacelog import log.jsonl
                SURFACELOG_SQLITE_PATH=elsewhere.db surfacelog verify s
                surfacelog import log.jsonl --db here.db
                surfacelog import log.jsonl
                ls *.db data
                """);

        assertThat(run.out()).isEqualTo("""
                        s: 0 events, 0 nodes
                        s: sound, 0 events
                        s: 0 events, 0 nodes
                        s: 0 events, 0 nodes
                        elsewhere.db
                        here.db

                        data:
                        surfacelog.db
                        """);
        assertThat(run.err())
                .isEqualTo("there is no database "
                        + folder.toRealPath().resolve("data").resolve("surfacelog.db")
                        + "; import makes one, and --db names another.\n");
    }

    @Test
    @Tag("slow")
    void a_reader_that_goes_away_ends_the_command_with_one_sentence() throws Exception {
        LogFile log = LogFile.of("s");
        for (int i = 0; i < 20_000; i++) {
            log.user("message " + i);
        }
        log.in(folder);

        Run run = shell("""
                surfacelog --db s.db import log.jsonl >/dev/null
                surfacelog --db s.db show s | head -1
                exit ${PIPESTATUS[0]}
                """);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("Standard output took not all of it").hasLineCount(1);
    }

    @Test
    @Tag("slow")
    void a_pipe_can_be_imported_and_a_device_is_written_to_but_never_replaced() throws Exception {
        LogFile.of("s").user("hi").in(folder);

        Run run = shell("""
                surfacelog --db s.db import <(cat log.jsonl) --stamp-markers &&
                surfacelog --db s.db export s --output /dev/null --force && test -c /dev/null &&
                surfacelog --db s.db export s --output >(cat >copy) && sleep 0.2 && wc -l <copy
                """);

        assertThat(run.err()).isEmpty();
        assertThat(run.out().strip()).matches("(?s)s: 1 event, 1 node\\s+2");
    }
}
