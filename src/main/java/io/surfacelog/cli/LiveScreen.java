package io.surfacelog.cli;

import java.util.List;

/** A terminal on which a line is edited: what is shown stands above it, the line that flows included. */
final class LiveScreen implements ChatScreen {

    private static final int NARROWEST = 20;

    private final LineEditor editor;
    private final boolean colour;
    private final FlowingText flowing = new FlowingText();
    private Ink ink = Ink.PLAIN;

    LiveScreen(LineEditor editor, boolean colour) {
        this.editor = editor;
        this.colour = colour;
    }

    @Override
    public synchronized void text(String piece, Ink of) {
        if (of != ink) {
            endText();
            ink = of;
        }
        show(flowing.add(piece, columns()));
    }

    @Override
    public synchronized void paragraph(String text, Ink of) {
        endText();
        text(text, of);
        endText();
    }

    @Override
    public synchronized void line(String text, Ink of) {
        endText();
        ink = of;
        show(List.of(ShownText.line(text, columns())));
    }

    @Override
    public synchronized void aside(String text, Ink of) {
        editor.show(List.of(of.on(ShownText.line(text, columns()), colour)), ink.on(flowing.open(), colour));
    }

    @Override
    public synchronized void lines(List<String> fit) {
        endText();
        editor.show(fit, "");
    }

    @Override
    public void prompt(String prompt) {
        editor.prompt(prompt);
    }

    @Override
    public boolean colour() {
        return colour;
    }

    @Override
    public synchronized void endText() {
        List<String> rest = flowing.finish();
        if (!rest.isEmpty()) {
            show(rest);
        }
    }

    private void show(List<String> whole) {
        String open = flowing.open();
        editor.show(
                whole.stream().map(line -> ink.on(line, colour)).toList(), open.isEmpty() ? "" : ink.on(open, colour));
    }

    /** One column stays free, so that a cursor behind the last character stands in the same row everywhere. */
    private int columns() {
        return Math.max(NARROWEST, editor.getTerminal().getSize().getColumns() - 1);
    }
}
