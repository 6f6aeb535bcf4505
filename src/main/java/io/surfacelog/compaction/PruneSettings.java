package io.surfacelog.compaction;

import java.util.Set;

/**
 * Which tool results are shortened, and to what. Immutable.
 *
 * <pre>{@code
 * PruneSettings.defaults().protect("read_policy").keepNewest(5);
 * }</pre>
 *
 * @param thresholdChars code points of text that a result may have, from 1,024
 * @param headChars code points that are kept of its beginning, from 0
 * @param tailChars code points that are kept of its end, from 0; head and tail together at least 512 below the threshold
 * @param keepNewest how many of the newest results are left alone, from 0
 * @param minReclaim tokens that a pruning has to reclaim, from 0
 * @param leastShare the share of the tokens behind the first shortened result that it has to reclaim, from 0 to 1: those are
 *     what the provider's prompt cache has to read anew
 * @param protectedTools tools whose results are left alone, by name
 */
public record PruneSettings(
        int thresholdChars,
        int headChars,
        int tailChars,
        int keepNewest,
        long minReclaim,
        double leastShare,
        Set<String> protectedTools) {

    /** What the marker takes at most. */
    static final int MARKER = 512;

    public PruneSettings {
        protectedTools = Set.copyOf(protectedTools);
        if (thresholdChars < 1_024) {
            throw new IllegalArgumentException("expected a threshold from 1,024 code points, found " + thresholdChars);
        }
        if (headChars < 0 || tailChars < 0 || (long) headChars + tailChars > thresholdChars - MARKER) {
            throw new IllegalArgumentException("expected head and tail from 0 and together at least " + MARKER
                    + " below the threshold of " + thresholdChars + ", found " + headChars + " and " + tailChars);
        }
        if (keepNewest < 0 || minReclaim < 0) {
            throw new IllegalArgumentException(
                    "expected keep-newest and min-reclaim from 0, found " + keepNewest + " and " + minReclaim);
        }
        if (!(leastShare >= 0 && leastShare <= 1)) {
            throw new IllegalArgumentException("expected a least share from 0 to 1, found " + leastShare);
        }
    }

    /** Over 8,192 code points, 4,096 and 1,024 are kept; the three newest stay; from 2,000 tokens and a twentieth on. */
    public static PruneSettings defaults() {
        return new PruneSettings(8_192, 4_096, 1_024, 3, 2_000, 0.05, Set.of());
    }

    /** The same with these lengths, in code points. */
    public PruneSettings chars(int threshold, int head, int tail) {
        return new PruneSettings(threshold, head, tail, keepNewest, minReclaim, leastShare, protectedTools);
    }

    /** The same with so many of the newest results left alone. */
    public PruneSettings keepNewest(int results) {
        return new PruneSettings(thresholdChars, headChars, tailChars, results, minReclaim, leastShare, protectedTools);
    }

    /** The same with this to be reclaimed. */
    public PruneSettings worth(long tokens, double share) {
        return new PruneSettings(thresholdChars, headChars, tailChars, keepNewest, tokens, share, protectedTools);
    }

    /** The same with the results of these tools left alone, and of no others. */
    public PruneSettings protect(String... tools) {
        return new PruneSettings(
                thresholdChars, headChars, tailChars, keepNewest, minReclaim, leastShare, Set.of(tools));
    }
}
