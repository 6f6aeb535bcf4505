package io.surfacelog.compaction;

import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.List;
import java.util.Optional;

/** The nodes of a surface behind those that are as they were, with their costs: known ones as they are known, new ones estimated. */
final class News {

    private final long[] seqs;
    private final long[] costs;
    private long lastReplace = -1;
    private int reportAt = -1;
    private long reported;

    private News(int length) {
        this.seqs = new long[length];
        this.costs = new long[length];
    }

    /**
     * What stands from this position on.
     *
     * @param knownSeqs the nodes of an earlier surface, in its order, from the same position on
     * @param knownCosts their costs
     * @param from the seq from which on nodes are new
     */
    static News of(
            Surface surface, int position, long[] knownSeqs, long[] knownCosts, long from, TokenEstimator estimator) {
        List<SurfaceNode> nodes = surface.nodes();
        News news = new News(nodes.size() - position);
        int known = 0;
        for (int i = 0; i < news.seqs.length; i++) {
            SurfaceNode node = nodes.get(position + i);
            news.seqs[i] = node.seq();
            if (node.seq() >= from) {
                news.costs[i] = cost(node, estimator);
                news.note(node, i);
                continue;
            }
            // the nodes that stayed keep their order, so those between have left
            while (knownSeqs[known] != node.seq()) {
                known++;
            }
            news.costs[i] = knownCosts[known++];
        }
        return news;
    }

    static boolean isReplace(SurfaceNode node) {
        return !node.event().intent().orElseThrow().isAppend();
    }

    private static long cost(SurfaceNode node, TokenEstimator estimator) {
        long cost = estimator.tokens(node);
        if (cost < 0) {
            throw new IllegalStateException("expected a token estimate from 0 for event " + node.seq() + ", found "
                    + cost + " from " + estimator);
        }
        return cost;
    }

    private void note(SurfaceNode node, int at) {
        if (isReplace(node)) {
            lastReplace = Math.max(lastReplace, node.seq());
            return;
        }
        Optional<Long> tokens = Report.tokens(node.event());
        if (tokens.isPresent()) {
            reportAt = at;
            reported = tokens.get();
        }
    }

    long[] seqs() {
        return seqs;
    }

    long[] costs() {
        return costs;
    }

    /** The newest replace among the new nodes, -1 if there is none. */
    long lastReplace() {
        return lastReplace;
    }

    /** The newest of the new nodes that holds a report, -1 if there is none. */
    long reportSeq() {
        return reportAt < 0 ? -1 : seqs[reportAt];
    }

    /** What it reports. */
    long reported() {
        return reported;
    }

    /** What the nodes behind it cost. */
    long tokensBehindReport() {
        return tokens(reportAt + 1);
    }

    long tokens() {
        return tokens(0);
    }

    private long tokens(int from) {
        long sum = 0;
        for (int i = from; i < costs.length; i++) {
            sum += costs[i];
        }
        return sum;
    }
}
