package io.surfacelog.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Finds the terminal of this process, if lines can be edited on it. */
final class ChatTerminal {

    private ChatTerminal() {}

    /** Empty where standard input or output is no terminal, or one that cannot move its cursor. */
    static Optional<Terminal> open() throws IOException {
        String type = System.getenv("TERM");
        if (type == null || type.startsWith("dumb")) {
            return Optional.empty();
        }
        try {
            Terminal terminal = TerminalBuilder.builder()
                    .system(true)
                    .provider("jni")
                    .dumb(false)
                    // to find out, it would ask the terminal, and take what was typed before for the answer
                    .graphemeCluster(false)
                    .encoding(StandardCharsets.UTF_8)
                    .build();
            if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
                terminal.close();
                return Optional.empty();
            }
            return Optional.of(terminal);
        } catch (IllegalStateException noTerminal) {
            return Optional.empty();
        }
    }
}
