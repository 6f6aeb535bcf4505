package io.surfacelog.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Where a command reads and writes: always UTF-8, whatever the locale says. */
final class Console {

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final boolean watched;
    private final boolean typed;

    Console(InputStream in, PrintStream out, PrintStream err) {
        this(in, out, err, false);
    }

    Console(InputStream in, PrintStream out, PrintStream err, boolean watched) {
        this(in, out, err, watched, false);
    }

    private Console(InputStream in, PrintStream out, PrintStream err, boolean watched, boolean typed) {
        this.in = in;
        this.out = out;
        this.err = err;
        this.watched = watched;
        this.typed = typed;
    }

    /** The streams of this process. */
    static Console ofProcess() {
        return new Console(
                System.in,
                utf8(FileDescriptor.out),
                utf8(FileDescriptor.err),
                Terminal.isStandardError(),
                Terminal.isStandardInputAndOutput());
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }

    InputStream in() {
        return in;
    }

    PrintWriter out() {
        return new PrintWriter(out, true, StandardCharsets.UTF_8);
    }

    PrintWriter err() {
        return new PrintWriter(err, true, StandardCharsets.UTF_8);
    }

    /**
     * Writes one line and flushes it, so that a reader who waits for the answer gets it.
     *
     * @return false once nobody reads any more
     */
    boolean line(String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        return !out.checkError();
    }

    /** Standard output for a command that may print much. */
    Output output() {
        return new Output(out);
    }

    /** Says one sentence on standard error, with nothing in it that a terminal would obey. */
    void say(String sentence) {
        byte[] bytes = (ShownText.visible(sentence) + "\n").getBytes(StandardCharsets.UTF_8);
        err.write(bytes, 0, bytes.length);
        err.flush();
    }

    /** Whether standard error is a terminal, so that somebody may be watching how far a command has come. */
    boolean isWatched() {
        return watched;
    }

    /** Whether standard input and output are a terminal, so that somebody may be typing. */
    boolean isTyped() {
        return typed;
    }

    /** The terminal of this process, if its lines can be edited; it belongs to whoever asks. */
    Optional<org.jline.terminal.Terminal> terminal() throws IOException {
        return typed ? ChatTerminal.open() : Optional.empty();
    }

    /** Draws over the line that the cursor stands in, without ending it. */
    void redraw(String text) {
        byte[] bytes = ("\r" + text).getBytes(StandardCharsets.UTF_8);
        err.write(bytes, 0, bytes.length);
        err.flush();
    }
}
