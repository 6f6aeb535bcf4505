package io.surfacelog.cli;

import picocli.CommandLine.Help.Ansi;

/** Puts colour on a terminal, and nothing into a file or a pipe. One accent only. */
enum Ink {
    PLAIN("0"),
    /** For headings. */
    STRONG("1"),
    /** For what is no longer seen by the model, and for what is beside the point. */
    FAINT("2"),
    /** For what replaces something. */
    ACCENT("36");

    private final String code;

    Ink(String code) {
        this.code = code;
    }

    /** Whether standard output is a terminal that shows colour and whoever sits there wants it (NO_COLOR). */
    static boolean isWanted() {
        return Ansi.AUTO.enabled();
    }

    String on(String text, boolean colour) {
        return colour && this != PLAIN ? "\u001B[" + code + "m" + text + "\u001B[0m" : text;
    }
}
