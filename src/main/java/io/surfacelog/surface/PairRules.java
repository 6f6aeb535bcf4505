package io.surfacelog.surface;

import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether a replace separates tool calls from their results. */
final class PairRules {

    private PairRules() {}

    /**
     * What a replace would split, in words. Cost: O(range and the surface behind it); a hidden result whose call is not
     * in the range costs the way back to it.
     *
     * @param waiting calls that have no result yet
     */
    static List<String> check(
            SessionEvent event, ReplaceRange range, PersistentList<SurfaceNode> nodes, Set<CallKey> waiting) {
        Set<CallKey> calls = new LinkedHashSet<>();
        Set<CallKey> results = new LinkedHashSet<>();
        for (int i = range.first(); i <= range.last(); i++) {
            collect(nodes.get(i).event(), calls, results);
        }
        Set<CallKey> newCalls = new HashSet<>();
        Set<CallKey> newResults = new HashSet<>();
        collect(event, newCalls, newResults);
        calls.removeAll(newCalls);
        results.removeAll(newResults);
        if (calls.isEmpty() && results.isEmpty()) {
            return List.of();
        }
        List<String> splits = new ArrayList<>();
        for (CallKey call : calls) {
            if (waiting.contains(call)) {
                splits.add("expected no replace over a call that waits for its result, found \"" + call.callId()
                        + "\" hidden");
            }
        }
        Set<CallKey> alone = new LinkedHashSet<>(calls);
        alone.removeAll(results);
        alone.removeAll(waiting);
        for (CallKey call : onSurface(alone, range.last() + 1, nodes.size(), nodes, false)) {
            splits.add("expected a call to be hidden together with its result, found only the call \"" + call.callId()
                    + "\" hidden");
        }
        results.removeAll(calls);
        Set<CallKey> callsLeft = callsLeft(results, range, nodes);
        // a copy brings the call of a result that it hides back onto the surface
        results.stream().filter(newCalls::contains).forEach(callsLeft::add);
        for (CallKey call : callsLeft) {
            splits.add("expected a result to be hidden together with its call, found only the result of \""
                    + call.callId() + "\" hidden");
        }
        return splits;
    }

    private static Set<CallKey> callsLeft(Set<CallKey> results, ReplaceRange range, PersistentList<SurfaceNode> nodes) {
        Set<CallKey> before = onSurface(results, 0, range.first(), nodes, true);
        Set<CallKey> rest = new LinkedHashSet<>(results);
        rest.removeAll(before);
        before.addAll(onSurface(rest, range.last() + 1, nodes.size(), nodes, true));
        return before;
    }

    /** Which of the keys stand as a call, or as a result, on the nodes of [from, to); searched from the back. */
    private static Set<CallKey> onSurface(
            Set<CallKey> keys, int from, int to, PersistentList<SurfaceNode> nodes, boolean asCall) {
        Set<CallKey> found = new LinkedHashSet<>();
        for (int i = to - 1; i >= from && found.size() < keys.size(); i--) {
            Set<CallKey> calls = new HashSet<>();
            Set<CallKey> results = new HashSet<>();
            collect(nodes.get(i).event(), calls, results);
            Set<CallKey> here = asCall ? calls : results;
            here.retainAll(keys);
            found.addAll(here);
        }
        return found;
    }

    private static void collect(SessionEvent event, Set<CallKey> calls, Set<CallKey> results) {
        if (event.type().equals(EventType.TOOL_RESULT)) {
            results.add(CallKey.answered(event));
        } else {
            calls.addAll(CallKey.calls(event));
        }
    }
}
