package io.surfacelog.compaction;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.Usage;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.List;
import java.util.OptionalLong;

/** What a log costs, found by folding all of it each time: slow and plain, to compare with. */
final class PlainPrices {

    private PlainPrices() {}

    static TokenCount count(List<SessionEvent> log, TokenEstimator estimator) {
        long now = estimated(log, estimator);
        for (int i = log.size() - 1; i >= 0; i--) {
            SessionEvent event = log.get(i);
            if (event.payload() instanceof AssistantMessage answer
                    && event.intent().orElseThrow().isAppend()
                    && answer.usage().filter(usage -> input(usage) > 0).isPresent()) {
                Usage usage = answer.usage().orElseThrow();
                long reported = input(usage) + usage.outputTokens();
                long change = now - estimated(log.subList(0, i + 1), estimator);
                if (reported + change > 0) {
                    return new TokenCount(
                            reported + change,
                            TokenCount.Basis.USAGE,
                            reported,
                            change,
                            now,
                            OptionalLong.of(i),
                            log.size());
                }
                break;
            }
        }
        return new TokenCount(now, TokenCount.Basis.ESTIMATE, 0, 0, now, OptionalLong.empty(), log.size());
    }

    private static long input(Usage usage) {
        return usage.inputTokens()
                + usage.cacheReadTokens().orElse(0)
                + usage.cacheWriteTokens().orElse(0);
    }

    private static long estimated(List<SessionEvent> log, TokenEstimator estimator) {
        Surface surface = Surface.empty().plan(log).after();
        long sum = surface.requestHeader().map(estimator::tokens).orElse(0L);
        for (SurfaceNode node : surface.nodes()) {
            sum += estimator.tokens(node);
        }
        return sum;
    }
}
