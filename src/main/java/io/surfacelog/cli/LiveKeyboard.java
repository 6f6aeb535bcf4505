package io.surfacelog.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.keymap.KeyMap;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jline.reader.Widget;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;

/** A terminal's keyboard: lines are edited, and earlier ones come back with the arrow keys. */
final class LiveKeyboard implements Keyboard {

    private final Terminal terminal;
    private final LineEditor editor;
    private final AtomicBoolean pressed = new AtomicBoolean();

    private LiveKeyboard(Terminal terminal, LineEditor editor) {
        this.terminal = terminal;
        this.editor = editor;
    }

    /** Of this terminal, which is the keyboard's from now on. */
    static LiveKeyboard of(Terminal terminal) throws IOException {
        LineEditor editor = new LineEditor(terminal);
        // a prompt is text: no quote, backslash or exclamation mark in it means anything
        DefaultParser parser = new DefaultParser();
        parser.setQuoteChars(new char[0]);
        parser.setEscapeChars(new char[0]);
        editor.setParser(parser);
        editor.setOpt(LineReader.Option.DISABLE_EVENT_EXPANSION);
        // what was said is shown when the log has it
        editor.setOpt(LineReader.Option.ERASE_LINE_ON_FINISH);
        editor.setCompleter(new StringsCompleter(
                SlashCommands.NAMES.stream().map(name -> "/" + name).toList()));
        // the terminal raises a signal for this key and hands it on besides, sometimes to the next line: once is enough
        Widget nothing = () -> true;
        editor.getKeyMaps().values().forEach(keys -> keys.bind(nothing, KeyMap.ctrl('C')));
        LiveKeyboard keyboard = new LiveKeyboard(terminal, editor);
        // while no line is read; while one is, the editor has a handler of its own
        terminal.handle(Terminal.Signal.INT, signal -> keyboard.pressed.set(true));
        return keyboard;
    }

    LineEditor editor() {
        return editor;
    }

    /** What the arrow keys bring back besides what is typed, oldest first. */
    void remember(List<String> lines) {
        lines.forEach(editor.getHistory()::add);
    }

    @Override
    public Typed next(String begun) {
        if (pressed.getAndSet(false)) {
            return new Typed.Interrupt(begun);
        }
        try {
            return new Typed.Line(editor.readLine("", null, begun.isEmpty() ? null : begun));
        } catch (UserInterruptException e) {
            return new Typed.Interrupt(e.getPartialLine());
        } catch (EndOfFileException e) {
            return new Typed.End();
        }
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }
}
