package io.surfacelog.cli;

import java.io.IOException;

/** Where a chat's lines come from. For one thread. */
interface Keyboard extends AutoCloseable {

    /** What somebody did. */
    sealed interface Typed {

        /** Ended a line. */
        record Line(String text) implements Typed {}

        /**
         * Pressed Ctrl-C.
         *
         * @param begun the line that was begun
         */
        record Interrupt(String begun) implements Typed {}

        /** Pressed Ctrl-D, or the input has ended. */
        record End() implements Typed {}
    }

    /**
     * Waits for the next thing somebody does.
     *
     * @param begun what the line to be typed begins with
     */
    Typed next(String begun) throws IOException;

    /** Gives the terminal back as it was. */
    @Override
    void close() throws IOException;
}
