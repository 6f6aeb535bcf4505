package io.surfacelog.compaction;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Surface;
import java.util.Optional;

/**
 * Which span a compaction hides: of what stands before the retained tail, the span that costs most. Nodes that stay divide the
 * surface, so what is left over is for the next compaction.
 */
final class SpanChoice {

    /** Below this no summary is worth the replacing message around it. */
    private static final long LEAST_TOKENS = 256;

    private final Prices prices;
    private final PinnedNodes pinned;

    SpanChoice(Prices prices, PinnedNodes pinned) {
        this.prices = prices;
        this.pinned = pinned;
    }

    /**
     * A span and what it costs.
     *
     * @param span the nodes to hide
     * @param tokens what they are estimated to cost
     */
    record Chosen(Span span, long tokens) {}

    /**
     * The span to hide, empty if there is none that is worth it.
     *
     * @param tail how many tokens the newest nodes may keep
     * @param least how many tokens it has to reclaim
     */
    Optional<Chosen> choose(SessionId session, Surface surface, long tail, long least) {
        PricedSurface priced = prices.ofNodes(session, surface);
        int end = surface.nodes().size();
        long kept = 0;
        while (end > 0) {
            long next = priced.tokens(end - 1);
            // the newest node stays even where it alone is more than the tail
            if (kept > 0 && kept + next > tail) {
                break;
            }
            kept += next;
            end--;
        }
        Chosen best = null;
        for (Span span : BoundaryPolicy.of(surface, pinned).spans(0, end)) {
            Chosen chosen = new Chosen(span, priced.tokens(span.first(), span.last()));
            if (isMoreThanASummary(surface, span) && (best == null || chosen.tokens() > best.tokens())) {
                best = chosen;
            }
        }
        return Optional.ofNullable(best).filter(chosen -> chosen.tokens() >= Math.max(least, LEAST_TOKENS));
    }

    /** The range that was asked for. */
    Chosen asked(SessionId session, Surface surface, CompactionRequest.Range range) {
        BoundaryPolicy policy = BoundaryPolicy.of(surface, pinned);
        Boundary boundary = range.widened()
                ? policy.widened(range.start(), range.end())
                : policy.checked(range.start(), range.end());
        if (boundary instanceof Boundary.Unsafe unsafe) {
            throw new UnsafeBoundaryException(session, range.start(), range.end(), unsafe.faults());
        }
        Span span = ((Boundary.Safe) boundary).span();
        return new Chosen(span, prices.ofNodes(session, surface).tokens(span.first(), span.last()));
    }

    /** A summary that stands alone was made already. */
    private static boolean isMoreThanASummary(Surface surface, Span span) {
        return span.size() > 1 || !SummaryRequest.isSummary(surface.nodes().get(span.first()));
    }
}
