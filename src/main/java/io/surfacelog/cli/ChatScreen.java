package io.surfacelog.cli;

import java.util.List;

/**
 * Where a chat is shown. Texts come as they stand in the log; what a terminal would obey is made visible here. Safe for use
 * by several threads.
 */
interface ChatScreen {

    /** Text that flows on where it stopped, until a line comes or text in another ink. */
    void text(String piece, Ink ink);

    /** Ends the line of the text that flows. */
    void endText();

    /** A text of any number of lines, on lines of its own. */
    void paragraph(String text, Ink ink);

    /** A text folded to one line, on a line of its own behind the text that has come so far. */
    void line(String text, Ink ink);

    /** The same without ending the text that flows. */
    void aside(String text, Ink ink);

    /** Lines that are fit for a terminal already, however many. */
    void lines(List<String> fit);

    /** What stands before the line that is typed. */
    void prompt(String prompt);

    /** Whether it shows colour. */
    boolean colour();
}
