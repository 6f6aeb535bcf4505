package io.surfacelog.compaction;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Surface;
import java.util.OptionalLong;

/** How a surface stands to its model's context window. */
final class CompactionNeed {

    /** With pressure, a compaction that reclaims less than this share of the window would come back with the next step. */
    private static final double LEAST_SHARE = 0.02;

    /** What any summary may have, however small the window. */
    private static final long SMALLEST = 64;

    private final Prices prices;
    private final CompactionSettings settings;

    CompactionNeed(Prices prices, CompactionSettings settings) {
        this.prices = prices;
        this.settings = settings;
    }

    /**
     * What was found.
     *
     * @param tokens estimate of the surface
     * @param threshold from how many on there is pressure, empty where the window is not known
     * @param tail how many tokens the newest nodes may keep
     * @param least how many tokens a compaction has to reclaim
     * @param summary the largest summary that leaves room for what comes
     */
    record Need(long tokens, OptionalLong threshold, long tail, long least, long summary) {

        boolean isPressing() {
            return threshold.isPresent() && tokens >= threshold.getAsLong();
        }
    }

    Need of(SessionId session, Surface surface, CompactionRequest.Cause cause) {
        long tokens = prices.ofSurface(session, surface);
        ModelWindow model = surface.requestHeader()
                .map(header -> settings.windowOf(header.provider(), header.model()))
                .orElse(settings.window());
        OptionalLong window = model.contextWindow();
        if (window.isEmpty()) {
            window = surface.requestContext()
                    .map(context -> context.contextWindow())
                    .orElse(OptionalLong.empty());
        }
        OptionalLong threshold = window.isPresent()
                ? OptionalLong.of((long) (window.getAsLong() * model.threshold()))
                : OptionalLong.empty();
        boolean pressure = cause == CompactionRequest.Cause.PRESSURE;
        // whoever asks, or was refused, wants it shorter even where the estimate says that there is room
        long filled = pressure || window.isPresent() && window.getAsLong() < tokens ? window.orElse(tokens) : tokens;
        long least = pressure && window.isPresent() ? (long) (window.getAsLong() * LEAST_SHARE) : 0;
        long tail = (long) (filled * model.retainedTail());
        return new Need(tokens, threshold, tail, least, summary(threshold, tail));
    }

    /** Half of what is free below the threshold beside the tail, so that a summary is not what brings the pressure back. */
    private long summary(OptionalLong threshold, long tail) {
        long room = threshold.isPresent() ? (threshold.getAsLong() - tail) / 2 : settings.summaryTokens();
        return Math.max(SMALLEST, Math.min(settings.summaryTokens(), room));
    }
}
