package io.surfacelog.surface;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.surface.Closers.OpenCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds calls on the surface that no result of the log answers. A result pairs by turn, step and call id of its data,
 * wherever it stands; the first calls of a key are the answered ones, and the last those the open turn still waits for.
 */
final class OrphanedCalls {

    private OrphanedCalls() {}

    static List<OpenCall> of(Surface surface, LogReader log) {
        Map<CallKey, Integer> asked = new HashMap<>();
        Map<CallKey, Integer> answeredHere = new HashMap<>();
        List<CallKey> inOrder = new ArrayList<>();
        for (SurfaceNode node : surface.nodes()) {
            for (CallKey call : CallKey.calls(node.event())) {
                if (!call.callId().isEmpty()) {
                    asked.merge(call, 1, Integer::sum);
                    inOrder.add(call);
                }
            }
            if (node.event().type().equals(EventType.TOOL_RESULT)) {
                answeredHere.merge(CallKey.answered(node.event()), 1, Integer::sum);
            }
        }
        Map<CallKey, Integer> waiting = new HashMap<>();
        if (surface.hasOpenTurn()) {
            // the closers of the turn answer these; without an open turn nobody will
            surface.turns().pending().forEach(call -> waiting.merge(call.key(), 1, Integer::sum));
        }
        Set<CallKey> suspects = new java.util.HashSet<>(asked.keySet());
        suspects.removeIf(
                key -> answeredHere.getOrDefault(key, 0) + waiting.getOrDefault(key, 0) >= asked.getOrDefault(key, 0));
        if (suspects.isEmpty()) {
            return List.of();
        }
        return search(inOrder, asked, waiting, suspects, surface, log);
    }

    /**
     * Whether more calls of this key than results stand on these nodes, whatever way they came there. Cost: O(nodes).
     *
     * @param answered how many results it is known to have, on these nodes or not
     */
    static boolean stands(CallKey key, int answered, PersistentList<SurfaceNode> nodes) {
        int calls = 0;
        int results = 0;
        for (int i = 0; i < nodes.size(); i++) {
            SessionEvent event = nodes.get(i).event();
            if (!event.type().equals(EventType.TOOL_RESULT)) {
                calls += (int) CallKey.calls(event).stream().filter(key::equals).count();
            } else if (CallKey.answered(event).equals(key)) {
                results++;
            }
        }
        return calls > Math.max(answered, results);
    }

    private static List<OpenCall> search(
            List<CallKey> inOrder,
            Map<CallKey, Integer> asked,
            Map<CallKey, Integer> waiting,
            Set<CallKey> suspects,
            Surface surface,
            LogReader log) {
        Map<CallKey, Integer> answered = new HashMap<>();
        Map<CallKey, List<Long>> started = new HashMap<>();
        log.forEachButChunks(0, surface.nextSeq(), event -> record(event, suspects, answered, started));
        Map<CallKey, Integer> seen = new HashMap<>();
        List<OpenCall> orphans = new ArrayList<>();
        for (CallKey call : inOrder) {
            int nth = seen.merge(call, 1, Integer::sum) - 1;
            boolean open = suspects.contains(call)
                    && nth >= answered.getOrDefault(call, 0)
                    && nth < asked.getOrDefault(call, 0) - waiting.getOrDefault(call, 0);
            if (open) {
                List<Long> runs = started.getOrDefault(call, List.of());
                orphans.add(new OpenCall(call, nth < runs.size() ? runs.get(nth) : -1));
            }
        }
        return orphans;
    }

    private static void record(
            SessionEvent event,
            Set<CallKey> suspects,
            Map<CallKey, Integer> answered,
            Map<CallKey, List<Long>> started) {
        if (event.type().equals(EventType.TOOL_CALL)) {
            CallKey key = CallKey.started(event);
            if (suspects.contains(key)) {
                started.computeIfAbsent(key, call -> new ArrayList<>()).add(event.seq());
            }
        } else if (event.type().equals(EventType.TOOL_RESULT)
                && event.intent().orElseThrow().isAppend()) {
            CallKey key = CallKey.answered(event);
            if (suspects.contains(key)) {
                answered.merge(key, 1, Integer::sum);
            }
        }
    }
}
