package io.surfacelog.cli;

/** What a line that was typed asks for. */
sealed interface ChatInput {

    /** A turn of its own. */
    record Prompt(String text) implements ChatInput {}

    /** A remark for the turn that is running. */
    record Steer(String text) implements ChatInput {}

    /**
     * A command of the console.
     *
     * @param name what follows the slash
     * @param argument the rest of the line; empty if there is none
     */
    record Slash(String name, String argument) implements ChatInput {}

    /** Nothing: an empty line. */
    record Nothing() implements ChatInput {}

    /** Reads a line: {@code /} begins a command, {@code !} a remark, anything else, a space too, a prompt. */
    static ChatInput of(String line) {
        String text = line.strip();
        if (text.isEmpty()) {
            return new Nothing();
        }
        if (line.startsWith("/")) {
            String[] words = text.substring(1).split("\\s+", 2);
            return new Slash(words[0], words.length > 1 ? words[1] : "");
        }
        if (line.startsWith("!")) {
            String remark = text.substring(1).strip();
            return remark.isEmpty() ? new Nothing() : new Steer(remark);
        }
        return new Prompt(text);
    }
}
