package io.surfacelog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.sqlite.SqliteEventStore;
import io.surfacelog.store.sqlite.SqliteSettings;
import io.surfacelog.surface.StructureMode;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tail}, as a process of its own beside one that writes. */
class TailCommandTest {

    private static final SessionId ID = SessionId.of("s");

    @TempDir
    private Path directory;

    private Cli cli;
    private EventStore store;
    private CommandStack writer;

    @BeforeEach
    void startWriter() throws Exception {
        cli = Cli.in(directory);
        Files.createDirectories(cli.database().getParent());
        store = SqliteEventStore.open(SqliteSettings.at(cli.database()));
        writer = CommandStack.on(store).structure(StructureMode.REPORT).start();
        writer.commands.create(SessionHeader.builder().id(ID).build());
        writer.commands.append(ID, TurnStart.of(1));
    }

    @AfterEach
    void stopWriter() {
        writer.close();
        store.close();
    }

    private void stream(String text) {
        writer.commands.append(ID, AssistantChunk.of(1, 1, StreamChunk.text(0, text)));
    }

    private List<String> command(String... args) {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(part -> Path.of(part).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                Surfacelog.class.getName(),
                "--db",
                cli.database().toString(),
                "tail"));
        command.addAll(List.of(args));
        return command;
    }

    @Test
    void asks_for_a_session_or_all_and_for_a_position_that_is_one() {
        assertThat(cli.run("tail").exitCode()).isEqualTo(2);
        assertThat(cli.run("tail", "s", "--all").exitCode()).isEqualTo(2);
        CommandRun odd = cli.run("tail", "s", "--from", "7x");
        assertThat(odd.exitCode()).isEqualTo(2);
        assertThat(odd.err()).contains("expected a position like 812 or 812:57, found \"7x\"");
        cli.failed("tail", "none");
        assertThat(cli.failed("tail", "--all", "--from", "4711").err()).contains("found 4711");
    }

    @Test
    @Tag("slow")
    void prints_json_with_positions_that_it_goes_on_from_and_ends_well_when_it_is_terminated() throws Exception {
        stream("a");
        Process process = new ProcessBuilder(command("--all", "--from", "start", "--json")).start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            assertThat(out.readLine()).isNotNull();
            JsonObject second = (JsonObject) Json.parse(out.readLine());
            assertThat(second.string("session")).contains("s");
            assertThat(second.object("event").orElseThrow().toText())
                    .isEqualTo(writer.queries.event(ID, 1).toText());
            stream("b");
            JsonObject third = (JsonObject) Json.parse(out.readLine());
            assertThat(third.string("position").orElseThrow()).isEqualTo(store.lastPosition() + ":2");
            process.toHandle().destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(process.exitValue()).isZero();
        assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8))
                .isEqualTo("Stopped; --from " + store.lastPosition() + ":2 goes on there.\n");
    }

    @Test
    @Tag("slow")
    void ends_when_nobody_reads_any_more() throws Exception {
        Process process = new ProcessBuilder(command("s", "--from", "start")).start();
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        assertThat(out.readLine()).contains("turn/start");
        out.close();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            writer.commands.appendAll(ID, List.of(Drafts.say("more " + System.nanoTime())));
            return !process.isAlive();
        });
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8))
                .startsWith("Standard output took not all of it")
                .hasLineCount(1);
    }

    @Test
    @Tag("slow")
    void shows_streamed_text_as_it_comes_in_a_terminal_until_it_is_interrupted() throws Exception {
        String quoted = command("s", "--from", "start").stream()
                .map(part -> "'" + part + "'")
                .collect(Collectors.joining(" "));
        Path script = Files.writeString(
                directory.resolve("tail.sh"), "trap : INT\n" + quoted + "\necho \"ended with $?\"\nsleep 60\n");
        try (Tmux terminal = Tmux.start(directory, "sh " + script)) {
            terminal.awaitScreen("0  turn/start         turn 1");
            writer.commands.append(ID, StepStart.of(1, 1));
            stream("Where is ");
            terminal.awaitScreen("2  streams            Where is");
            stream("my parcel?\u001b[31m");
            terminal.awaitScreen("2  streams            Where is my parcel?␛[31m");
            writer.commands.appendAll(ID, List.of(Drafts.say("hello")));
            terminal.awaitScreen("4  user/message       hello");
            terminal.type("C-c");
            terminal.awaitScreen("ended with 0");
            assertThat(terminal.screen()).contains("Stopped; --from " + store.lastPosition() + ":4 goes on there.");
        }
    }
}
