package io.surfacelog.cli;

import io.surfacelog.command.ForkSession;
import io.surfacelog.command.Forked;
import io.surfacelog.event.SessionId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a line that begins with a slash does. */
final class SlashCommands {

    /** Their names, for whoever completes one. */
    static final List<String> NAMES = List.of("help", "surface", "explain", "fork", "compact", "quit");

    private static final List<String> HELP = List.of(
            "a line          asks for a turn; while one is running, it waits for its end",
            "!REMARK         steers: the model hears it before its next step",
            "/surface        what the model sees now, as nodes",
            "/explain SEQ    where an event comes from, and what became of it",
            "/fork [ID]      goes on in a fork that ends with the last turn that has ended",
            "/compact        replaces the older part of the surface by a summary",
            "/quit           ends; so does Ctrl-D",
            "Ctrl-C          cancels the turn that is running; once more, or twice while none is, it quits",
            "A line that is to begin with / or ! begins with a space before it.");

    private final Standalone store;
    private final ChatSession chat;
    private final ChatScreen screen;
    private final ChatCompaction compaction;

    SlashCommands(Standalone store, ChatSession chat, ChatScreen screen, ChatCompaction compaction) {
        this.store = store;
        this.chat = chat;
        this.screen = screen;
        this.compaction = compaction;
    }

    /**
     * Runs one.
     *
     * @return whether it was there and could be done
     */
    boolean run(ChatInput.Slash command) throws IOException {
        switch (command.name()) {
            case "help" -> screen.lines(HELP);
            case "surface", "explain", "fork", "compact" -> {
                if (!chat.isThere()) {
                    return no("Nothing has been said yet, so there is no session to " + command.name() + ".");
                }
                return onSession(command);
            }
            default -> {
                return no("There is no command /" + command.name() + "; /help names those there are.");
            }
        }
        return true;
    }

    private boolean onSession(ChatInput.Slash command) throws IOException {
        SessionId id = chat.id();
        return switch (command.name()) {
            case "surface" -> {
                show(out -> SurfaceRows.print(store.queries().surface(id), out, screen.colour()));
                yield true;
            }
            case "explain" -> explain(id, command.argument());
            case "fork" -> fork(id, command.argument());
            default -> compact();
        };
    }

    private boolean explain(SessionId id, String argument) throws IOException {
        if (!argument.matches("\\d{1,16}")) {
            return no("Expected the seq of an event, as /explain 12, found \"" + argument + "\".");
        }
        long seq = Long.parseLong(argument);
        show(out -> new Explanation(store, id).print(seq, out, screen.colour()));
        return true;
    }

    private boolean fork(SessionId id, String child) {
        ForkSession request = ForkSession.of(id);
        Forked forked = chat.fork(child.isEmpty() ? request : request.as(new SessionIdArgument().convert(child)));
        screen.line(ForkCommand.sentence(forked, id), Ink.ACCENT);
        return true;
    }

    private boolean compact() {
        screen.line(compaction.compact(chat.agent()), Ink.PLAIN);
        return true;
    }

    private boolean no(String sentence) {
        screen.line(sentence, Ink.ACCENT);
        return false;
    }

    /** What a command of the command line would print. */
    private void show(Printing printing) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Output out = new Output(new PrintStream(bytes, false, StandardCharsets.UTF_8))) {
            printing.to(out);
        }
        screen.lines(bytes.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @FunctionalInterface
    private interface Printing {
        void to(Output out) throws IOException;
    }
}
