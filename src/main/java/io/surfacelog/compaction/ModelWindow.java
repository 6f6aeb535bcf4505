package io.surfacelog.compaction;

import java.util.OptionalLong;

/**
 * The context window of a model, and how much of it a conversation may fill.
 *
 * @param contextWindow its size in tokens, from 1; it takes precedence over what the log says, empty to go by the log's latest
 *     {@code request/context}
 * @param threshold the share from which on a surface is compacted, above 0 up to 1
 * @param retainedTail the share that the newest messages may keep in any case, from 0 and below the threshold
 */
public record ModelWindow(OptionalLong contextWindow, double threshold, double retainedTail) {

    public ModelWindow {
        if (contextWindow.isPresent() && contextWindow.getAsLong() < 1) {
            throw new IllegalArgumentException(
                    "expected a context window from 1 token, found " + contextWindow.getAsLong());
        }
        if (!(threshold > 0 && threshold <= 1)) {
            throw new IllegalArgumentException("expected a threshold above 0 up to 1, found " + threshold);
        }
        if (!(retainedTail >= 0 && retainedTail < threshold)) {
            throw new IllegalArgumentException(
                    "expected a retained tail from 0 and below the threshold " + threshold + ", found " + retainedTail);
        }
    }

    /** A window of this size, compacted from 0.8 on, of which the newest 0.16 stay. */
    public static ModelWindow of(long tokens) {
        return new ModelWindow(OptionalLong.of(tokens), 0.8, 0.16);
    }
}
