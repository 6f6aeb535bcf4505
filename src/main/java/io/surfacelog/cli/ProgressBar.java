package io.surfacelog.cli;

import java.util.Locale;

/**
 * How far a long piece of work has come, redrawn in place on standard error. Draws nothing unless that is a terminal, and
 * nothing for work that is done before anybody would ask.
 */
final class ProgressBar implements AutoCloseable {

    private static final int CELLS = 24;
    private static final int NAME = 30;
    private static final long FIRST_NANOS = 400_000_000;
    private static final long NEXT_NANOS = 100_000_000;

    private final Console console;
    private final String name;
    private final long total;
    private long due;
    private int drawn;

    /** Of work on so many bytes. */
    ProgressBar(Console console, String name, long total) {
        this.console = console;
        this.name = ShownText.line(name, NAME);
        this.total = total;
        this.due = console.isWatched() && total > 0 ? System.nanoTime() + FIRST_NANOS : Long.MAX_VALUE;
    }

    /** So many bytes are done. Cost: a look at the clock. */
    void at(long bytes) {
        if (due == Long.MAX_VALUE || System.nanoTime() - due < 0) {
            return;
        }
        due = System.nanoTime() + NEXT_NANOS;
        double part = Math.min(1, (double) bytes / total);
        int full = (int) (part * CELLS);
        draw(name + " [" + "#".repeat(full) + ".".repeat(CELLS - full)
                + String.format(Locale.ROOT, "] %3d %% of %s", (int) (part * 100), size(total)));
    }

    /** All bytes are read, and what comes now cannot be counted. */
    void says(String text) {
        if (due != Long.MAX_VALUE && drawn > 0) {
            draw(name + " " + text);
        }
    }

    private void draw(String line) {
        int width = ShownText.width(line);
        console.redraw(line + " ".repeat(Math.max(0, drawn - width)));
        drawn = width;
    }

    private static String size(long bytes) {
        return bytes < 1 << 20
                ? (bytes + 1023) / 1024 + " KiB"
                : String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
    }

    /** Takes the bar away, so that what is printed next stands alone. */
    @Override
    public void close() {
        due = Long.MAX_VALUE;
        if (drawn > 0) {
            console.redraw(" ".repeat(drawn) + "\r");
            drawn = 0;
        }
    }
}
