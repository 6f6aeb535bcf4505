package io.surfacelog.compaction;

import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Walks the surface from its end, so that the newest of several is the one that stays. */
final class StandardPins {

    /** What an application says in every turn must not keep a surface from being compacted for ever. */
    private static final int MOST_NOTICES = 64;

    private static final Set<String> NOTICES = Set.of("system", "todo");
    private static final Set<String> TODO_TOOLS = Set.of("todo", "todos", "todowrite", "writetodos", "updatetodos");

    private StandardPins() {}

    static BitSet of(Surface surface) {
        BitSet pinned = new BitSet();
        Set<String> known = new HashSet<>();
        boolean taskWanted = surface.hasOpenTurn();
        boolean todoWanted = true;
        int notices = 0;
        List<SurfaceNode> nodes = surface.nodes();
        for (int i = nodes.size() - 1; i >= 0; i--) {
            SurfaceNode node = nodes.get(i);
            if (!node.derivesMessage()) {
                continue;
            }
            Message message = node.message();
            if (isNotice(node, message)) {
                if (notices < MOST_NOTICES && known.add(nameOf(node, message))) {
                    notices++;
                    pinned.set(i);
                }
            } else if (taskWanted
                    && node.event().type().equals(EventType.USER_MESSAGE)
                    && message.source().kind().equals("user")) {
                taskWanted = false;
                pinned.set(i);
            } else if (todoWanted && message.toolCalls().stream().anyMatch(StandardPins::isTodo)) {
                todoWanted = false;
                pinned.set(i);
            }
        }
        return pinned;
    }

    private static boolean isNotice(SurfaceNode node, Message message) {
        return node.event().type().equals(EventType.CONTEXT_MESSAGE)
                || NOTICES.contains(message.source().kind())
                || message.source().json().string("form").isPresent();
    }

    /** Of notices with one name the newest counts; one without a name is like no other. */
    private static String nameOf(SurfaceNode node, Message message) {
        JsonObject source = message.source().json();
        String form = source.string("form").orElse("");
        String name = source.string("name").orElse("");
        boolean todo = message.source().kind().equals("todo");
        if (form.isEmpty() && name.isEmpty() && !todo) {
            return "node\n" + node.seq();
        }
        return message.source().kind() + "\n" + source.string("plugin").orElse("") + "\n" + form + "\n" + name;
    }

    private static boolean isTodo(ToolCallBlock call) {
        return TODO_TOOLS.contains(call.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z]", ""));
    }
}
