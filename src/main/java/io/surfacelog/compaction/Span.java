package io.surfacelog.compaction;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.List;

/**
 * A run of neighbouring nodes of one surface, by position.
 *
 * @param first position of its first node, from 0
 * @param last position of its last node, included
 */
public record Span(int first, int last) {

    public Span {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("expected positions from 0 in order, found " + first + " to " + last);
        }
    }

    /** How many nodes it has. */
    public int size() {
        return last - first + 1;
    }

    /** Its nodes on the surface it is a span of. Unmodifiable, O(1), no copy. */
    public List<SurfaceNode> nodes(Surface surface) {
        return surface.nodes().subList(first, last + 1);
    }

    /** Their seqs, in surface order. Cost: O(nodes). */
    public EventSeqs seqs(Surface surface) {
        EventSeqs.Builder seqs = EventSeqs.builder();
        nodes(surface).forEach(node -> seqs.add(node.seq()));
        return seqs.build();
    }
}
