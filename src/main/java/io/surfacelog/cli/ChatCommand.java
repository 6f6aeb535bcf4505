package io.surfacelog.cli;

import io.surfacelog.event.Message;
import io.surfacelog.event.SessionId;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code chat}: talks with an agent whose session is in the database. */
@Command(
        name = "chat",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Talks with an agent, whose session is kept in the database. Without a model that is configured, a script answers.",
            "Where standard input is no terminal, each of its lines is a prompt, answered before the next is read."
        },
        exitCodeListHeading = ExitCodes.HEADING,
        exitCodeList = {
            ExitCodes.DONE,
            "1:refused or failed, or, where standard input is no terminal, a turn did not complete",
            ExitCodes.USAGE
        })
final class ChatCommand implements Callable<Integer> {

    /** So many earlier prompts come back with the arrow keys. */
    private static final int REMEMBERED = 200;

    /** As a shell says of a process that Ctrl-C has ended. */
    private static final int INTERRUPTED = 130;

    private final Console console;
    private final Database database;

    @Option(
            names = "--resume",
            paramLabel = "ID",
            converter = SessionIdArgument.class,
            description = "Goes on with this session; one that another process drives is refused.")
    private @Nullable SessionId resume;

    @Option(names = "--model", paramLabel = "NAME", description = ChatModel.HELP)
    private @Nullable String model;

    ChatCommand(Console console, Database database) {
        this.console = console;
        this.database = database;
    }

    @Override
    public Integer call() throws IOException {
        try (Standalone store = database.open(resume == null ? IfAbsent.CREATE : IfAbsent.REFUSE);
                Output out = console.output()) {
            return talk(store, ChatModel.of(store, model), out) ? 0 : 1;
        }
    }

    private boolean talk(Standalone store, ChatModel asked, Output out) throws IOException {
        boolean allWell;
        @Nullable SessionId last;
        try (ChatFace face = ChatFace.of(console, out);
                ChatSession chat = new ChatSession(store, asked.profile(), face.screen())) {
            ChatNews news = new ChatNews(face.screen(), chat);
            store.listen(news::show);
            face.say().accept(asked.sentence());
            begin(store, chat, face);
            SlashCommands commands =
                    new SlashCommands(store, chat, face.screen(), new CompactedChat(store.compactions()));
            ChatLoop loop = new ChatLoop(chat, face.keyboard(), face.screen(), commands, !face.live());
            // whoever sits there has seen what did not go well
            allWell = loop.run() || face.live();
            last = chat.isThere() ? chat.id() : null;
        }
        console.say(
                last == null
                        ? "Nothing was said, so no session was kept."
                        : "Session " + SessionIdArgument.typed(last) + "; chat --resume goes on with it.");
        return allWell;
    }

    private void begin(Standalone store, ChatSession chat, ChatFace face) {
        if (resume == null) {
            face.say()
                    .accept("Session " + chat.id() + ", kept from the first prompt on. /help says what can be typed.");
        } else {
            ChatSession.Resumed resumed = chat.resume(resume);
            face.say().accept("Session " + SessionIdArgument.typed(resume) + " goes on" + closed(resumed));
            if (face.keyboard() instanceof LiveKeyboard keyboard) {
                keyboard.remember(prompts(store, resume));
            }
        }
        if (!face.live() && console.isTyped()) {
            Signals.register("INT", () -> {
                if (!chat.cancel()) {
                    System.exit(INTERRUPTED);
                }
            });
        }
    }

    private static String closed(ChatSession.Resumed resumed) {
        long events = resumed.recoveredTo() - resumed.recoveredFrom();
        return events == 0
                ? "; nothing had been left open."
                : "; what a crash had left open was closed by " + Preview.count(events, "event") + ", from event "
                        + resumed.recoveredFrom() + " on.";
    }

    private static List<String> prompts(Standalone store, SessionId session) {
        List<String> all = store.queries().messages(session).stream()
                .filter(message -> message.role().equals(Message.USER)
                        && message.source().kind().equals("user"))
                .map(Message::text)
                .filter(text -> !text.isBlank())
                .toList();
        return all.subList(Math.max(0, all.size() - REMEMBERED), all.size());
    }
}
