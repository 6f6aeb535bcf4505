package io.surfacelog.compaction;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.UnknownBlock;
import java.util.List;

/** What a surface event says, as plain text: its blocks, one below the other. */
final class EventText {

    private EventText() {}

    static String of(SessionEvent event) {
        return event.payload() instanceof SurfacePayload payload ? of(payload) : "";
    }

    static String of(SurfacePayload payload) {
        StringBuilder text = new StringBuilder();
        add(payload.message().content(), text);
        return text.toString();
    }

    private static void add(List<ContentBlock> blocks, StringBuilder text) {
        for (ContentBlock block : blocks) {
            if (block instanceof ToolResultBlock result) {
                add(result.content(), text);
                continue;
            }
            String says = says(block);
            if (!says.isEmpty()) {
                text.append(text.isEmpty() ? "" : "\n").append(says);
            }
        }
    }

    /** Of an image nothing, of what is not known its JSON. */
    static String says(ContentBlock block) {
        if (block instanceof TextBlock text) {
            return text.text();
        } else if (block instanceof ReasoningBlock reasoning) {
            return reasoning.text();
        } else if (block instanceof ToolCallBlock call) {
            return call.name() + "(" + call.arguments() + ")";
        }
        return block instanceof UnknownBlock unknown ? unknown.json().toText() : "";
    }
}
