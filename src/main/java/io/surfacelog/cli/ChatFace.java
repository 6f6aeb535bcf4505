package io.surfacelog.cli;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jline.terminal.Terminal;

/**
 * How a chat meets whoever uses it.
 *
 * @param keyboard where lines come from
 * @param screen where the session is shown
 * @param say takes what is said about the chat and is no part of the session
 * @param live whether lines can be typed while a turn is running
 */
record ChatFace(Keyboard keyboard, ChatScreen screen, Consumer<String> say, boolean live) implements AutoCloseable {

    /** The terminal of this process if it has one that can be drawn on, else its streams. */
    static ChatFace of(Console console, Output out) throws IOException {
        Optional<Terminal> terminal = console.terminal();
        if (terminal.isPresent()) {
            LiveKeyboard keyboard = LiveKeyboard.of(terminal.get());
            LiveScreen screen = new LiveScreen(keyboard.editor(), Ink.isWanted());
            screen.prompt(ChatNews.IDLE);
            return new ChatFace(keyboard, screen, text -> screen.aside(text, Ink.FAINT), true);
        }
        PlainScreen screen = new PlainScreen(out);
        Runnable beforeLine = console.isTyped() ? () -> screen.ask(ChatNews.IDLE) : () -> {};
        return new ChatFace(new PlainKeyboard(console.in(), beforeLine), screen, console::say, false);
    }

    @Override
    public void close() throws IOException {
        keyboard.close();
    }
}
