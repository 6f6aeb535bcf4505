package io.surfacelog.agent;

import io.surfacelog.event.ContextMessage;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which items of the workspace the model sees, learnt from the surface alone: what compaction has hidden is told again, and
 * what another process appended is not. For the thread of the loop. Cost: O(new nodes), O(surface) after a replace.
 */
final class WorkspaceContext {

    private final Map<String, String> texts = new HashMap<>();
    private long generation = -1;
    private int seen;

    /** The messages of those items that the model does not see as they are. */
    List<ContextMessage> missing(Surface surface, List<ContextItem> items) {
        takeIn(surface);
        Map<String, ContextItem> wanted = new LinkedHashMap<>();
        items.forEach(item -> wanted.put(item.key(), item));
        return wanted.values().stream()
                .filter(item -> !item.text().equals(texts.get(item.key())))
                .map(ContextItem::message)
                .toList();
    }

    private void takeIn(Surface surface) {
        List<SurfaceNode> nodes = surface.nodes();
        if (surface.generation() != generation || nodes.size() < seen) {
            texts.clear();
            seen = 0;
            generation = surface.generation();
        }
        for (; seen < nodes.size(); seen++) {
            SurfaceNode node = nodes.get(seen);
            if (node.derivesMessage()) {
                String key = ContextItem.keyOf(node.message());
                if (!key.isEmpty()) {
                    texts.put(key, node.message().text());
                }
            }
        }
    }
}
