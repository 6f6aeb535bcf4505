package io.surfacelog.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Standard output as a screen where nothing can be drawn over: a file, a pipe, or a terminal that can do no better. */
final class PlainScreen implements ChatScreen {

    private static final int COLUMNS = 160;

    private final Output out;
    private final FlowingText flowing = new FlowingText();
    private final List<String> waiting = new ArrayList<>();
    private int written;

    PlainScreen(Output out) {
        this.out = out;
    }

    @Override
    public synchronized void text(String piece, Ink ink) {
        List<String> whole = flowing.add(piece, Integer.MAX_VALUE);
        print(() -> {
            for (String line : whole) {
                endLine(line);
            }
            String open = flowing.open();
            write(open.substring(written));
            written = open.length();
        });
    }

    @Override
    public synchronized void endText() {
        print(this::endFlowing);
    }

    @Override
    public synchronized void paragraph(String text, Ink ink) {
        print(this::endFlowing);
        text(text, ink);
        print(this::endFlowing);
    }

    @Override
    public synchronized void line(String text, Ink ink) {
        print(() -> {
            endFlowing();
            out.line(ShownText.line(text, COLUMNS));
        });
    }

    @Override
    public synchronized void aside(String text, Ink ink) {
        String line = ShownText.line(text, COLUMNS);
        if (written > 0) {
            waiting.add(line);
        } else {
            print(() -> out.line(line));
        }
    }

    @Override
    public synchronized void lines(List<String> fit) {
        print(() -> {
            endFlowing();
            for (String line : fit) {
                out.line(line);
            }
        });
    }

    /** Where nothing can be drawn over, nothing stands before a line unless it is asked for. */
    @Override
    public void prompt(String prompt) {}

    /** Says to somebody who sits at a terminal that it is their turn. */
    synchronized void ask(String prompt) {
        print(() -> {
            endFlowing();
            write(prompt);
        });
    }

    @Override
    public boolean colour() {
        return false;
    }

    private void endFlowing() throws IOException {
        for (String line : flowing.finish()) {
            endLine(line);
        }
    }

    /** What is at the beginning of the line stands there already. */
    private void endLine(String line) throws IOException {
        out.line(line.substring(written));
        written = 0;
        for (String aside : waiting) {
            out.line(aside);
        }
        waiting.clear();
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** At once: somebody waits for it. */
    private void print(Printing printing) {
        try {
            printing.run();
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @FunctionalInterface
    private interface Printing {
        void run() throws IOException;
    }
}
