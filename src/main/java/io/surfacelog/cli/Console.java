package io.surfacelog.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Where a command reads and writes: always UTF-8, whatever the locale says. */
final class Console {

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    Console(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /** The streams of this process. */
    static Console ofProcess() {
        return new Console(System.in, utf8(FileDescriptor.out), utf8(FileDescriptor.err));
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
}
