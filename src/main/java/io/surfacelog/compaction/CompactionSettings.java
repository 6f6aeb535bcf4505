package io.surfacelog.compaction;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * When and how surfaces are compacted. Immutable.
 *
 * <pre>{@code
 * CompactionSettings.defaults().model("gpt-5", new ModelWindow(OptionalLong.of(272_000), 0.8, 0.16));
 * }</pre>
 *
 * @param window what holds for models that have no window of their own here
 * @param models by name, or by provider and name as {@code openai/gpt-5}, which is looked up first
 * @param retries how often a summary that cannot be used is made again, from 0 to 10
 * @param summaryTokens the largest summary, from 64 tokens to 1,000,000
 * @param timeout how long a summary may take, from 1 ms to a day
 * @param whenChanged what is done when others have replaced nodes of the chosen span meanwhile
 */
public record CompactionSettings(
        ModelWindow window,
        Map<String, ModelWindow> models,
        int retries,
        long summaryTokens,
        Duration timeout,
        WhenChanged whenChanged) {

    /** What is done when the chosen span is not what it was. */
    public enum WhenChanged {
        /** Another span is chosen and summarised, twice at most. */
        CHOOSE_ANEW,
        /** The compaction fails. */
        FAIL
    }

    public CompactionSettings {
        models = Map.copyOf(models);
        if (retries < 0 || retries > 10) {
            throw new IllegalArgumentException("expected 0 to 10 retries of a summary, found " + retries);
        }
        if (summaryTokens < 64 || summaryTokens > 1_000_000) {
            throw new IllegalArgumentException(
                    "expected summaries of 64 to 1,000,000 tokens at most, found " + summaryTokens);
        }
        if (timeout.toMillis() < 1 || timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("expected a timeout from 1 ms to a day, found " + timeout);
        }
    }

    /** Threshold 0.8, retained tail 0.16, one retry, summaries of 8,192 tokens in 5 minutes, another span if need be. */
    public static CompactionSettings defaults() {
        return new CompactionSettings(
                new ModelWindow(OptionalLong.empty(), 0.8, 0.16),
                Map.of(),
                1,
                8_192,
                Duration.ofMinutes(5),
                WhenChanged.CHOOSE_ANEW);
    }

    /** What holds for a model. Cost: O(1). */
    public ModelWindow windowOf(String provider, String model) {
        ModelWindow exact = models.get(provider + "/" + model);
        return exact != null ? exact : models.getOrDefault(model, window);
    }

    /** The same settings with this window for models that have none of their own. */
    public CompactionSettings window(ModelWindow other) {
        return new CompactionSettings(other, models, retries, summaryTokens, timeout, whenChanged);
    }

    /** The same settings with a window for this model, by its name or as {@code provider/name}. */
    public CompactionSettings model(String name, ModelWindow own) {
        Map<String, ModelWindow> more = new java.util.HashMap<>(models);
        more.put(name, own);
        return new CompactionSettings(window, more, retries, summaryTokens, timeout, whenChanged);
    }

    /** The same settings with this many retries of a summary. */
    public CompactionSettings retries(int count) {
        return new CompactionSettings(window, models, count, summaryTokens, timeout, whenChanged);
    }

    /** The same settings with summaries of at most so many tokens. */
    public CompactionSettings summaryTokens(long tokens) {
        return new CompactionSettings(window, models, retries, tokens, timeout, whenChanged);
    }

    /** The same settings with this timeout. */
    public CompactionSettings timeout(Duration longest) {
        return new CompactionSettings(window, models, retries, summaryTokens, longest, whenChanged);
    }

    /** The same settings for spans that have changed. */
    public CompactionSettings whenChanged(WhenChanged what) {
        return new CompactionSettings(window, models, retries, summaryTokens, timeout, what);
    }
}
