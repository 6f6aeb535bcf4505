package io.surfacelog.cli;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Message;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;
import java.util.ArrayList;
import java.util.List;

/** A message as lines for people to read: whole, with its line ends, and nothing in it that a terminal would obey. */
final class MessageLines {

    private final List<String> lines = new ArrayList<>();
    private final boolean colour;

    private MessageLines(boolean colour) {
        this.colour = colour;
    }

    /** The lines of the message of this node: a heading, then its blocks. */
    static List<String> of(long seq, Message message, boolean colour) {
        MessageLines lines = new MessageLines(colour);
        String source = message.source().kind()
                + message.source().model().map(model -> " " + model).orElse("")
                + message.source().callId().map(call -> " " + call).orElse("");
        lines.add(Ink.STRONG, "", seq + "  " + message.role() + "  (" + source + ")");
        message.content().forEach(block -> lines.block(block, "    "));
        return lines.lines;
    }

    private void block(ContentBlock block, String indent) {
        if (block instanceof TextBlock text) {
            add(Ink.PLAIN, indent, text.text());
        } else if (block instanceof ReasoningBlock reasoning) {
            add(Ink.FAINT, indent, "(thinks) " + reasoning.text());
        } else if (block instanceof ToolCallBlock call) {
            add(Ink.ACCENT, indent, "⚙ " + call.name() + "(" + call.arguments() + ")  " + call.id());
        } else if (block instanceof ToolResultBlock result) {
            if (result.isError()) {
                add(Ink.STRONG, indent, "✗ error");
            }
            result.content().forEach(part -> block(part, indent + "  "));
        } else {
            add(Ink.FAINT, indent, block.json().toText());
        }
    }

    private void add(Ink ink, String indent, String text) {
        for (String line : text.replace("\r\n", "\n").split("\n", -1)) {
            lines.add((indent + ink.on(ShownText.visible(line), colour)).stripTrailing());
        }
    }
}
