package io.surfacelog.compaction;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the prices of one session: the cost of each node of the surface seen last, and the last report of
 * the provider with the estimate of the surface it was for. Holds numbers only, so a session may leave memory meanwhile.
 * Guarded by itself.
 */
final class TokenLedger {

    private final SessionHeader session;
    private final TokenEstimator estimator;

    private long[] seqs = new long[0];
    private long[] costs = new long[0];
    private int size;
    private long nodeTokens;
    private long nextSeq;
    private long generation;
    private long headerSeq = -1;
    private long headerTokens;
    private Report report = Report.NONE;
    private @Nullable TokenCount count;

    TokenLedger(SessionHeader session, TokenEstimator estimator) {
        this.session = session;
        this.estimator = estimator;
    }

    boolean isOf(SessionHeader header) {
        return session.equals(header);
    }

    /** This, or an empty one for a surface from before what this has seen. */
    TokenLedger at(Surface surface) {
        return surface.nextSeq() < nextSeq ? new TokenLedger(session, estimator) : this;
    }

    /** The costs of the nodes of the surface counted last, in surface order. */
    long[] costs() {
        return Arrays.copyOf(costs, size);
    }

    TokenCount count(Surface surface, SessionQueries queries) {
        TokenCount known = count;
        if (known != null && surface.nextSeq() == nextSeq && surface.generation() == generation) {
            return known;
        }
        if (surface.nextSeq() < nextSeq || surface.generation() < generation) {
            // the store has gone back to an older copy of itself
            forget();
        }
        int kept = kept(surface);
        if (kept < 0) {
            forget();
            kept = 0;
        }
        News news = News.of(
                surface,
                kept,
                Arrays.copyOfRange(seqs, kept, size),
                Arrays.copyOfRange(costs, kept, size),
                nextSeq,
                estimator);
        long header = surface.requestHeaderEvent().map(SessionEvent::seq).orElse(-1L);
        long withHeader = header == headerSeq
                ? headerTokens
                : surface.requestHeader().map(estimator::tokens).orElse(0L);
        long tokens = nodeTokens - sum(costs, kept, size) + news.tokens();
        boolean replaced = surface.generation() != generation;
        Report latest = new Reports(session.id(), queries, estimator)
                .latest(surface, news, report, nextSeq, replaced, header, tokens + withHeader);
        take(surface, kept, news, tokens);
        headerSeq = header;
        headerTokens = withHeader;
        report = latest;
        TokenCount fresh = counted();
        count = fresh;
        return fresh;
    }

    private void take(Surface surface, int kept, News news, long tokens) {
        int length = kept + news.seqs().length;
        if (length > seqs.length) {
            int room = Math.max(length, seqs.length + (seqs.length >> 1));
            seqs = Arrays.copyOf(seqs, room);
            costs = Arrays.copyOf(costs, room);
        }
        System.arraycopy(news.seqs(), 0, seqs, kept, news.seqs().length);
        System.arraycopy(news.costs(), 0, costs, kept, news.costs().length);
        size = length;
        nodeTokens = tokens;
        nextSeq = surface.nextSeq();
        generation = surface.generation();
    }

    private TokenCount counted() {
        long estimated = nodeTokens + headerTokens;
        if (report.isPresent()) {
            long change = estimated - report.estimated();
            long total = report.tokens() + change;
            if (total > 0) {
                return new TokenCount(
                        total,
                        TokenCount.Basis.USAGE,
                        report.tokens(),
                        change,
                        estimated,
                        OptionalLong.of(report.seq()),
                        nextSeq);
            }
        }
        return new TokenCount(estimated, TokenCount.Basis.ESTIMATE, 0, 0, estimated, OptionalLong.empty(), nextSeq);
    }

    private void forget() {
        size = 0;
        nodeTokens = 0;
        nextSeq = 0;
        generation = 0;
        headerSeq = -1;
        headerTokens = 0;
        report = Report.NONE;
        count = null;
    }

    /**
     * How many nodes at the front are those of the surface seen last, -1 if this is no later surface of the same log. Walks
     * back from the end only until every replace since has been met.
     */
    private int kept(Surface surface) {
        long replaces = surface.generation() - generation;
        List<SurfaceNode> nodes = surface.nodes();
        if (replaces == 0) {
            boolean grown = nodes.size() >= size
                    && (size == 0 || nodes.get(size - 1).seq() == seqs[size - 1])
                    && (nodes.size() == size || nodes.get(size).seq() >= nextSeq);
            return grown ? size : -1;
        }
        int before = size - 1;
        int now = nodes.size() - 1;
        for (; now >= 0; now--) {
            SurfaceNode node = nodes.get(now);
            if (node.seq() >= nextSeq) {
                replaces -= News.isReplace(node) ? 1 : 0;
                continue;
            }
            while (before >= 0 && seqs[before] != node.seq()) {
                before--;
            }
            if (before < 0) {
                return -1;
            }
            if (replaces == 0 && before == now) {
                return now + 1;
            }
            before--;
        }
        return 0;
    }

    private static long sum(long[] values, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += values[i];
        }
        return sum;
    }
}
