package io.surfacelog.cli;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output of a command that may print much: buffered, UTF-8, and an error once nobody can take any more, so that
 * {@code | head} ends a command instead of letting it print into nothing.
 */
final class Output extends FilterOutputStream {

    /** Standard output took no more: its reader has gone, or its disk is full. */
    static final class ClosedException extends IOException {

        private static final long serialVersionUID = 1L;

        ClosedException() {
            super("Standard output took not all of it: whoever reads it has gone, or its disk is full");
        }
    }

    Output(PrintStream target) {
        super(new BufferedOutputStream(new Reporting(target), 1 << 16));
    }

    void line(String text) throws IOException {
        write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
    }

    /** Hands over what was written; the stream itself belongs to the process. */
    @Override
    public void close() throws IOException {
        flush();
    }

    /** A print stream keeps its failures to itself. */
    private static final class Reporting extends OutputStream {

        private final PrintStream target;

        Reporting(PrintStream target) {
            this.target = target;
        }

        @Override
        public void write(int b) throws IOException {
            target.write(b);
            check();
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            target.write(bytes, from, length);
            check();
        }

        @Override
        public void flush() throws IOException {
            check();
        }

        private void check() throws IOException {
            if (target.checkError()) {
                throw new ClosedException();
            }
        }
    }
}
