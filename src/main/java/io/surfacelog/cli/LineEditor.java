package io.surfacelog.cli;

import java.io.IOException;
import java.util.List;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;

/**
 * A line editor with a line above it that is not at its end yet, drawn together with the line that is typed. So text can be
 * seen as it comes while somebody types.
 */
final class LineEditor extends LineReaderImpl {

    private volatile String open = "";
    private volatile String ownPrompt = "";

    LineEditor(Terminal terminal) throws IOException {
        super(terminal, "surfacelog");
    }

    /** What stands before the line that is typed. */
    void prompt(String text) {
        lock.lock();
        try {
            ownPrompt = text;
            redraw();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Prints lines above the one that is typed.
     *
     * @param whole lines that are at their end; fit for the terminal
     * @param unfinished the beginning of the next, of at most one row; empty if there is none
     */
    void show(List<String> whole, String unfinished) {
        lock.lock();
        try {
            open = unfinished;
            if (whole.isEmpty()) {
                redraw();
            } else {
                setPrompt("");
                printAbove(String.join("\n", whole) + "\n");
            }
        } finally {
            lock.unlock();
        }
    }

    private void redraw() {
        setPrompt("");
        if (reading) {
            redisplay();
        }
    }

    /** The editor asks for its prompt when it begins to read; ours is made here, whatever it was given. */
    @Override
    public void setPrompt(String ignored) {
        prompt = AttributedString.fromAnsi(open.isEmpty() ? ownPrompt : open + "\n" + ownPrompt);
    }
}
