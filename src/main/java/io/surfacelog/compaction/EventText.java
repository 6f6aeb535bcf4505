package io.surfacelog.compaction;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
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
                result.json().array("content").ifPresent(items -> items.items().forEach(item -> add(item, text)));
            } else {
                add(says(block), text);
            }
        }
    }

    private static void add(Json item, StringBuilder text) {
        if (item instanceof JsonObject block && ContentBlock.of(block) instanceof ToolResultBlock inner) {
            add(List.of(inner), text);
        } else {
            add(says(item), text);
        }
    }

    private static void add(String says, StringBuilder text) {
        if (!says.isEmpty()) {
            text.append(text.isEmpty() ? "" : "\n").append(says);
        }
    }

    /** An item of a result need not be a block: a text says itself, and anything else its JSON. */
    static String says(Json item) {
        if (item instanceof JsonObject block) {
            return says(ContentBlock.of(block));
        }
        return item instanceof JsonString string ? string.value() : item.toText();
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
