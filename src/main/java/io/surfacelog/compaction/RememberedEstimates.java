package io.surfacelog.compaction;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.surface.SurfaceNode;
import java.util.Map;
import java.util.WeakHashMap;

/** Asks another estimator for each node once, as long as somebody holds the node. */
final class RememberedEstimates implements TokenEstimator {

    private final TokenEstimator estimator;

    // guarded by itself; nodes are equal only to themselves
    private final Map<SurfaceNode, Long> known = new WeakHashMap<>();

    RememberedEstimates(TokenEstimator estimator) {
        this.estimator = estimator;
    }

    @Override
    public long tokens(SurfaceNode node) {
        synchronized (known) {
            Long before = known.get(node);
            if (before != null) {
                return before;
            }
        }
        // a tokenizer may take its time, and two that ask at once are told the same
        long tokens = estimator.tokens(node);
        synchronized (known) {
            known.put(node, tokens);
        }
        return tokens;
    }

    @Override
    public long tokens(ContentBlock block) {
        return estimator.tokens(block);
    }

    @Override
    public long tokens(Message message) {
        return estimator.tokens(message);
    }

    @Override
    public long tokens(String text) {
        return estimator.tokens(text);
    }

    @Override
    public long tokens(RequestHeader header) {
        return estimator.tokens(header);
    }

    @Override
    public String toString() {
        return estimator.toString();
    }
}
