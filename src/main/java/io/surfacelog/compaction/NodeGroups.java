package io.surfacelog.compaction;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.CallKey;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes of a surface are hidden together or not at all: an assistant message with all results of its calls. A result
 * belongs to the first call of its key before it that has none yet; where that leaves some of a key over, all nodes of that
 * key stand together, since nobody can tell which belong to each other.
 */
final class NodeGroups {

    private final int[] parent;
    private final Map<CallKey, List<Integer>> waiting = new LinkedHashMap<>();
    private final List<Orphan> orphans = new ArrayList<>();

    private NodeGroups(int size) {
        parent = new int[size];
        for (int i = 0; i < size; i++) {
            parent[i] = i;
        }
    }

    /** What stands on the surface under one key. */
    private static final class Standing {
        final List<Integer> calls = new ArrayList<>();
        final List<Integer> results = new ArrayList<>();
        final Deque<Integer> open = new ArrayDeque<>();
        boolean ambiguous;
    }

    static NodeGroups of(Surface surface) {
        List<SurfaceNode> nodes = surface.nodes();
        NodeGroups groups = new NodeGroups(nodes.size());
        Map<CallKey, Standing> keys = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            SessionEvent event = nodes.get(i).event();
            if (event.type().equals(EventType.TOOL_RESULT)) {
                Standing key = keys.computeIfAbsent(CallKey.answered(event), unknown -> new Standing());
                key.results.add(i);
                Integer call = key.open.poll();
                if (call == null) {
                    key.ambiguous = true;
                } else {
                    groups.join(call, i);
                }
            } else {
                for (CallKey call : CallKey.calls(event)) {
                    Standing key = keys.computeIfAbsent(call, unknown -> new Standing());
                    key.calls.add(i);
                    key.open.add(i);
                }
            }
        }
        Set<CallKey> unanswered = surface.unansweredCalls();
        keys.forEach((key, standing) -> groups.settle(surface, key, standing, unanswered.contains(key)));
        return groups;
    }

    private void settle(Surface surface, CallKey key, Standing standing, boolean unanswered) {
        if (unanswered && !standing.calls.isEmpty()) {
            waiting.put(key, standing.calls);
            if (!surface.isRunning(key)) {
                orphan(surface, Orphan.Kind.UNANSWERED_CALL, standing.calls, key);
            }
        }
        if (standing.calls.isEmpty()) {
            orphan(surface, Orphan.Kind.RESULT_WITHOUT_CALL, standing.results, key);
        } else if (standing.results.isEmpty()) {
            if (!unanswered) {
                orphan(surface, Orphan.Kind.CALL_WITHOUT_RESULT, standing.calls, key);
            }
        } else if (standing.ambiguous || !standing.open.isEmpty()) {
            int first = standing.calls.get(0);
            standing.calls.forEach(node -> join(first, node));
            standing.results.forEach(node -> join(first, node));
        }
    }

    private void orphan(Surface surface, Orphan.Kind kind, List<Integer> positions, CallKey key) {
        for (int position : positions) {
            orphans.add(new Orphan(kind, surface.nodes().get(position).seq(), key.callId()));
        }
    }

    /** The calls that have no result in the log, with the positions of the messages that ask for them. */
    Map<CallKey, List<Integer>> waiting() {
        return waiting;
    }

    List<Orphan> orphans() {
        return List.copyOf(orphans);
    }

    /** The group of a node: equal for nodes that stand together. */
    int groupOf(int position) {
        int root = position;
        while (parent[root] != root) {
            root = parent[root];
        }
        for (int i = position; parent[i] != root; ) {
            int next = parent[i];
            parent[i] = root;
            i = next;
        }
        return root;
    }

    private void join(int a, int b) {
        int first = groupOf(a);
        int second = groupOf(b);
        parent[Math.max(first, second)] = Math.min(first, second);
    }
}
