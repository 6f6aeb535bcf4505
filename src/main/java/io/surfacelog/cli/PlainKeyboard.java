package io.surfacelog.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Lines as they come: from a file, a pipe, or a terminal on which nothing can be edited. */
final class PlainKeyboard implements Keyboard {

    private final BufferedReader lines;
    private final Runnable beforeLine;

    /** @param beforeLine called before it waits for a line */
    PlainKeyboard(InputStream in, Runnable beforeLine) {
        this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.beforeLine = beforeLine;
    }

    @Override
    public Typed next(String begun) throws IOException {
        beforeLine.run();
        String line = lines.readLine();
        return line == null ? new Typed.End() : new Typed.Line(line);
    }

    /** The stream belongs to the process. */
    @Override
    public void close() {}
}
