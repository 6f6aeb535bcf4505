package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chat as a person has it, in a terminal. */
@Tag("slow")
class ChatTerminalTest {

    private static final String READY = "/help says what can be typed";
    private static final Pattern SESSION = Pattern.compile("Session (\\S+)[,;]");

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void in_a_folder_of_its_own() {
        cli = Cli.in(folder);
    }

    private Tmux start(String name, String... args) throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
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
                cli.database().toString()));
        command.addAll(List.of(args));
        String quoted = command.stream().map(part -> "'" + part + "'").collect(Collectors.joining(" "));
        Path script = Files.writeString(
                Files.createDirectories(folder.resolve(name)).resolve("run.sh"),
                quoted + "\necho \"ended with $?\"\nsleep 600\n");
        return Tmux.start(script.getParent(), "sh " + script);
    }

    private Tmux chat(String... args) throws Exception {
        String[] all = new String[args.length + 1];
        all[0] = "chat";
        System.arraycopy(args, 0, all, 1, args.length);
        return start("chat", all);
    }

    private static void line(Tmux terminal, String text) throws Exception {
        terminal.type(text, "Enter");
    }

    private static String session(Tmux terminal) {
        Matcher said = SESSION.matcher(terminal.screen());
        assertThat(said.find()).as(terminal.screen()).isTrue();
        return said.group(1);
    }

    @Test
    void answers_and_folds_tools_and_shows_commands_and_brings_earlier_lines_back() throws Exception {
        try (Tmux terminal = chat()) {
            terminal.awaitScreen(READY);
            line(terminal, "what is 2+3?");
            terminal.awaitScreen("The answer is 5.");
            assertThat(terminal.screen())
                    .containsSubsequence(
                            "[main turn 1]\n",
                            "> what is 2+3?\n",
                            "Let me ask the calculator.\n",
                            "⚙ calculator({\"expression\":\"2+3\"})\n",
                            "  ↳ calculator: 5\n",
                            "The answer is 5.\n");
            // what was typed went away when the log had it
            assertThat(terminal.screen().split("what is 2\\+3\\?", -1)).hasSize(2);

            line(terminal, "/surface");
            terminal.awaitScreen("0 replaces");
            line(terminal, "/explain 1");
            terminal.awaitScreen("on the surface: now, as itself");
            terminal.type("Up", "Up", "Up");
            terminal.awaitScreen("\n> what is 2+3?\n\n");
            terminal.type("BSpace", "BSpace", "4?", "Enter");
            terminal.awaitScreen("The answer is 6.");

            line(terminal, "/fork second");
            terminal.awaitScreen("second: shares");
            line(terminal, "what is 5+5?");
            terminal.awaitScreen("The answer is 10.");
            assertThat(terminal.screen()).contains("[main turn 3]");
            line(terminal, "/quit");
            terminal.awaitScreen("ended with 0");
            assertThat(terminal.screen()).contains("Session second; chat --resume goes on with it.");
        }
        assertThat(cli.done("messages", "second").out()).contains("what is 2+3?", "what is 2+4?", "what is 5+5?");
        cli.done("verify", "--all");
    }

    @Test
    void cancels_a_turn_by_one_control_c_and_quits_by_the_next_and_goes_on_later() throws Exception {
        String id;
        try (Tmux terminal = chat()) {
            terminal.awaitScreen(READY);
            id = session(terminal);
            line(terminal, "count to 900");
            terminal.awaitScreen(" 20, ");
            terminal.type("half a li");
            terminal.awaitScreen("… half a li");
            terminal.type("C-c");
            terminal.awaitScreen("(turn 1 aborted by user)");
            terminal.awaitScreen("> half a li");
            assertThat(terminal.screen()).doesNotContain("ended with");
            terminal.type("ne", "C-u");
            line(terminal, "what is 1+1?");
            terminal.awaitScreen("The answer is 2.");
            terminal.type("C-c");
            terminal.awaitScreen("(Ctrl-C once more quits)");
            terminal.type("C-c");
            terminal.awaitScreen("ended with 0");
        }
        assertThat(cli.done("show", id).out()).contains("turn 1 aborted");

        try (Tmux terminal = chat("--resume", id)) {
            terminal.awaitScreen("goes on; nothing had been left open.");
            assertThat(terminal.screen())
                    .containsSubsequence(
                            "[main turn 1]", "> count to 900", "(turn 1 aborted by user)", "[main turn 2]");
            terminal.type("Up");
            terminal.awaitScreen("\n> what is 1+1?\n\n");
            terminal.type("Up");
            terminal.awaitScreen("\n> count to 900\n\n");
            terminal.type("C-u", "C-d");
            terminal.awaitScreen("ended with 0");
        }
    }

    @Test
    void a_line_typed_before_the_prompt_is_there_is_answered() throws Exception {
        try (Tmux terminal = chat()) {
            line(terminal, "what is 6*7?");
            terminal.awaitScreen("The answer is 42.");
            terminal.type("C-d");
            terminal.awaitScreen("ended with 0");
        }
    }

    @Test
    void a_line_typed_while_a_turn_runs_waits_for_its_end_and_a_remark_is_heard_by_the_session() throws Exception {
        try (Tmux terminal = chat()) {
            terminal.awaitScreen(READY);
            line(terminal, "count to 60");
            terminal.awaitScreen("[main turn 1]");
            line(terminal, "what is 7+7?");
            terminal.awaitScreen("(queued) what is 7+7?");
            terminal.awaitScreen("The answer is 14.");
            assertThat(terminal.screen()).containsSubsequence("59, 60.", "[main turn 2]", "> what is 7+7?");

            line(terminal, "count to 60");
            terminal.awaitScreen("[main turn 3]");
            line(terminal, "! what is 8+8?");
            terminal.awaitScreen("(steers) what is 8+8?");
            terminal.awaitScreen("\n! what is 8+8?");
            terminal.awaitScreen("The answer is 16.");
            terminal.type("C-d");
            terminal.awaitScreen("ended with 0");
        }
    }

    @Test
    void another_process_follows_the_chat_and_is_refused_its_session() throws Exception {
        try (Tmux terminal = chat()) {
            terminal.awaitScreen(READY);
            String id = session(terminal);
            line(terminal, "what is 2+3?");
            terminal.awaitScreen("The answer is 5.");
            try (Tmux beside = start("tail", "tail", id, "--from", "start")) {
                beside.awaitScreen("what is 2+3?");
                line(terminal, "what is 4+5?");
                beside.awaitScreen("The answer is 9.");
            }
            assertThat(cli.run("chat", "--resume", id).exitCode()).isEqualTo(1);
            assertThat(cli.run("chat", "--resume", id).err()).contains("is driven by process");

            // another chat in the same store is seen here under its durable id
            CommandRun other = CommandRun.withInput(
                    "what is 3+3?\n", "--db", cli.database().toString(), "chat");
            assertThat(other.exitCode()).as(other.err()).isZero();
            terminal.awaitScreen("turn 1] The answer is 6.");
            assertThat(terminal.screen()).doesNotContain("[main turn 1] The answer is 6.");
        }
    }

    @Test
    void wide_characters_and_escape_sequences_do_no_harm() throws Exception {
        try (Tmux terminal = chat()) {
            terminal.awaitScreen(READY);
            line(terminal, "日本語 👩 \"quote' \\back !bang");
            terminal.awaitScreen("> 日本語 👩 \"quote' \\back !bang");
            terminal.awaitScreen("read this again.");
            line(terminal, "what is 2+3?");
            terminal.awaitScreen("The answer is 5.");
            terminal.type("C-d");
            terminal.awaitScreen("ended with 0");
        }
        Path hostile = LogFile.of("hostile")
                .user("\\u001b[2J\\u001b]0;owned\\u0007\\u009b31mred")
                .in(folder, "hostile.jsonl");
        cli.done("import", hostile);
        try (Tmux terminal = chat("--resume", "hostile")) {
            terminal.awaitScreen("> ␛[2J␛]0;owned␇\\u009b31mred");
            terminal.awaitScreen("goes on");
        }
    }
}
