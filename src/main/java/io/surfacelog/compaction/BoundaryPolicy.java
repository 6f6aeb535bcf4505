package io.surfacelog.compaction;

import io.surfacelog.surface.CallKey;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * Where a surface may be cut: what a compaction may hide without breaking the conversation.
 *
 * <pre>{@code
 * BoundaryPolicy policy = BoundaryPolicy.of(queries.surface(id), PinnedNodes.standard());
 * List<Span> spans = policy.spans(0, 40);          // what may be hidden of the first forty nodes
 * Boundary asked = policy.widened(12, 57);         // the next safe edges around nodes 12 and 57
 * List<Orphan> orphans = policy.orphans();         // calls and results that stand alone
 * }</pre>
 *
 * <p>A call and its result, paired by id within the step, are hidden together, and so are parallel calls with all their
 * results; a message whose call has no result yet stays; pinned nodes stay. Turns are no limit: one that is very long may be
 * cut between its closed steps. A replace of what is safe here is never a finding {@code pair.split-by-replace}. An orphan is
 * reported and keeps nothing but itself from being hidden, and that only while recovery may still answer it.
 *
 * <p>Pure and immutable; safe for use by several threads. Cost: O(nodes) once, then O(nodes) for each question.
 */
public final class BoundaryPolicy {

    private final Surface surface;
    private final NodeGroups groups;
    private final BitSet pinned;
    private final BitSet staying;

    private BoundaryPolicy(Surface surface, NodeGroups groups, BitSet pinned) {
        this.surface = surface;
        this.groups = groups;
        this.pinned = pinned;
        this.staying = (BitSet) pinned.clone();
        groups.waiting().values().forEach(positions -> positions.forEach(staying::set));
        spreadOverGroups(staying);
    }

    /** The policy for this surface, on which these nodes stay. */
    public static BoundaryPolicy of(Surface surface, PinnedNodes pinned) {
        return new BoundaryPolicy(
                surface, NodeGroups.of(surface), (BitSet) pinned.of(surface).clone());
    }

    /** The calls and results that stand alone, in surface order of their first appearance. */
    public List<Orphan> orphans() {
        return groups.orphans();
    }

    /** The positions of the nodes that stay in any case. */
    public BitSet staying() {
        return (BitSet) staying.clone();
    }

    /**
     * The longest spans that may be hidden, among the positions from one to another, in order. Each may be hidden as a whole.
     *
     * @param from the first position, from 0
     * @param to the position behind the last
     */
    public List<Span> spans(int from, int to) {
        if (from < 0 || to > surface.nodes().size()) {
            throw new IllegalArgumentException(
                    "expected positions from 0 to " + surface.nodes().size() + ", found " + from + " to " + to);
        }
        BitSet barriers = (BitSet) staying.clone();
        List<Span> found = between(barriers, from, to);
        while (breakOpen(found, barriers)) {
            found = between(barriers, from, to);
        }
        return found;
    }

    private static List<Span> between(BitSet barriers, int from, int to) {
        List<Span> spans = new ArrayList<>();
        for (int first = barriers.nextClearBit(from); first < to; ) {
            int barrier = barriers.nextSetBit(first);
            int end = barrier < 0 ? to : Math.min(barrier, to);
            spans.add(new Span(first, end - 1));
            first = barriers.nextClearBit(end + 1);
        }
        return List.copyOf(spans);
    }

    /** Makes barriers of nodes that do not stand in one span with all that they are hidden with; returns whether there were any. */
    private boolean breakOpen(List<Span> spans, BitSet barriers) {
        int size = surface.nodes().size();
        int[] spanOf = new int[size];
        for (int i = 0; i < spans.size(); i++) {
            for (int at = spans.get(i).first(); at <= spans.get(i).last(); at++) {
                spanOf[at] = i + 1;
            }
        }
        BitSet broken = new BitSet(size);
        for (int i = 0; i < size; i++) {
            int group = groups.groupOf(i);
            if (spanOf[i] != spanOf[group]) {
                broken.set(group);
            }
        }
        boolean any = false;
        for (int i = 0; i < size; i++) {
            if (spanOf[i] > 0 && broken.get(groups.groupOf(i))) {
                barriers.set(i);
                any = true;
            }
        }
        return any;
    }

    /** Whether the nodes from one seq to another may be hidden as they are, both included. */
    public Boundary checked(long start, long end) {
        return asked(start, end, false);
    }

    /** The same for the next safe edges around them: nodes that belong to some in the range are taken in. */
    public Boundary widened(long start, long end) {
        return asked(start, end, true);
    }

    private Boundary asked(long start, long end, boolean widen) {
        int first = position(start);
        int last = position(end);
        List<BoundaryFault> faults = new ArrayList<>();
        if (first < 0) {
            faults.add(notThere(start));
        }
        if (last < 0 && start != end) {
            faults.add(notThere(end));
        }
        if (faults.isEmpty() && first > last) {
            faults.add(new BoundaryFault(
                    BoundaryFault.Rule.ORDER,
                    start,
                    "expected a range in surface order, found node " + start + " behind node " + end
                            + "; exchange them"));
        }
        if (!faults.isEmpty()) {
            return new Boundary.Unsafe(faults);
        }
        Span span = widen ? widened(new Span(first, last)) : new Span(first, last);
        return judged(span);
    }

    private Boundary judged(Span span) {
        int[] outside = new int[surface.nodes().size()];
        for (int i = 0; i < outside.length; i++) {
            if (i < span.first() || i > span.last()) {
                outside[groups.groupOf(i)] = i + 1;
            }
        }
        List<BoundaryFault> faults = new ArrayList<>();
        for (int i = span.first(); i <= span.last(); i++) {
            int position = i;
            long seq = surface.nodes().get(i).seq();
            if (pinned.get(i)) {
                faults.add(new BoundaryFault(
                        BoundaryFault.Rule.PINNED,
                        seq,
                        "expected no node that has to stay in sight, found node " + seq
                                + "; choose a range beside it"));
            }
            groups.waiting().forEach((call, positions) -> {
                if (positions.contains(position)) {
                    faults.add(waiting(call, seq));
                }
            });
            int other = outside[groups.groupOf(i)] - 1;
            if (other >= 0) {
                faults.add(new BoundaryFault(
                        BoundaryFault.Rule.SPLIT_PAIR,
                        seq,
                        "expected a call and its result to be hidden together, found node " + seq
                                + " in the range and node "
                                + surface.nodes().get(other).seq()
                                + " outside of it; widen the range"));
            }
        }
        return faults.isEmpty() ? new Boundary.Safe(span) : new Boundary.Unsafe(faults);
    }

    /** The first node of a group stands for it, so only its last has to be found. */
    private Span widened(Span span) {
        int[] lastOf = new int[surface.nodes().size()];
        for (int i = 0; i < lastOf.length; i++) {
            lastOf[groups.groupOf(i)] = i;
        }
        int first = span.first();
        int last = span.last();
        for (int i = first; i <= last; i++) {
            int group = groups.groupOf(i);
            last = Math.max(last, lastOf[group]);
            if (group < first) {
                first = group;
                i = group;
            }
        }
        return new Span(first, last);
    }

    private BoundaryFault waiting(CallKey call, long seq) {
        return surface.isRunning(call)
                ? new BoundaryFault(
                        BoundaryFault.Rule.RUNNING_CALL,
                        seq,
                        "expected no call that is still running, found call \"" + call.callId() + "\" of node " + seq
                                + "; wait for its result")
                : new BoundaryFault(
                        BoundaryFault.Rule.ORPHANED_CALL,
                        seq,
                        "expected no call that recovery may still answer, found call \"" + call.callId() + "\" of node "
                                + seq + "; recover the session, or choose a range beside it");
    }

    private static BoundaryFault notThere(long seq) {
        return new BoundaryFault(
                BoundaryFault.Rule.NOT_ON_SURFACE,
                seq,
                "expected a node of the surface, found event " + seq
                        + ", which is none or was hidden by a replace; name one that the surface shows");
    }

    private void spreadOverGroups(BitSet nodes) {
        BitSet whole = new BitSet();
        nodes.stream().forEach(position -> whole.set(groups.groupOf(position)));
        for (int i = 0; i < surface.nodes().size(); i++) {
            if (whole.get(groups.groupOf(i))) {
                nodes.set(i);
            }
        }
    }

    private int position(long seq) {
        List<SurfaceNode> nodes = surface.nodes();
        for (int i = nodes.size() - 1; i >= 0; i--) {
            if (nodes.get(i).seq() == seq) {
                return i;
            }
        }
        return -1;
    }

    /** For messages. */
    @Override
    public String toString() {
        Map<CallKey, List<Integer>> open = groups.waiting();
        return "BoundaryPolicy[nodes=" + surface.nodes().size() + ", staying=" + staying.cardinality() + ", waiting="
                + open.size() + ", orphans=" + orphans().size() + "]";
    }
}
