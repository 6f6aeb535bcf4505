package io.surfacelog.autoconfigure;

import io.surfacelog.compaction.CompactionSettings;
import io.surfacelog.compaction.ModelWindow;
import io.surfacelog.compaction.PruneSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Compaction of surfaces that have become too long for their model.
 *
 * @param automatic whether agents compact by themselves, before a request and after one that was refused as too long
 * @param summarizer who makes summaries: extractive asks no model, model asks the one that is a bean
 * @param contextWindow size of the context window in tokens, from 1; unset to go by what the log says of the model
 * @param threshold the share of the window from which on a surface is compacted, above 0 up to 1
 * @param retainedTail the share of the window that the newest messages may keep, from 0 and below the threshold
 * @param retries how often a summary that cannot be used is made again, from 0 to 10
 * @param summaryTokens the largest summary, from 64 to 1000000 tokens
 * @param timeout how long a summary may take, from 1ms to 1d
 * @param whenChanged what is done when others have replaced what was to be hidden: choose-anew or fail
 * @param models what differs for a model, by its name or as provider/name
 * @param prune how long tool results are shortened, before anything is compacted
 */
@ConfigurationProperties("surfacelog.compaction")
public record CompactionProperties(
        @DefaultValue("true") boolean automatic,
        @DefaultValue("extractive") SummarizerKind summarizer,
        @Nullable Long contextWindow,
        @DefaultValue("0.8") double threshold,
        @DefaultValue("0.16") double retainedTail,
        @DefaultValue("1") int retries,
        @DefaultValue("8192") long summaryTokens,
        @DefaultValue("5m") Duration timeout,
        @DefaultValue("choose-anew") CompactionSettings.WhenChanged whenChanged,
        @DefaultValue Map<String, Model> models,
        @DefaultValue Prune prune) {

    /** Who makes summaries. */
    public enum SummarizerKind {
        /** The first lines of what was said; no model is asked. */
        EXTRACTIVE,
        /** The model that is a bean, at its price. */
        MODEL
    }

    /**
     * What differs for a model.
     *
     * @param contextWindow size of its context window in tokens, from 1
     * @param threshold the share of the window from which on a surface is compacted, above 0 up to 1
     * @param retainedTail the share of the window that the newest messages may keep, from 0 and below the threshold
     */
    public record Model(
            @Nullable Long contextWindow,
            @Nullable Double threshold,
            @Nullable Double retainedTail) {}

    /**
     * How long tool results are shortened.
     *
     * @param automatic whether agents do so by themselves when the surface comes close to the context window
     * @param thresholdChars characters of text that a result may have, from 1024
     * @param headChars characters that are kept of its beginning, from 0
     * @param tailChars characters that are kept of its end, from 0; head and tail at least 512 below the threshold
     * @param keepNewest how many of the newest results are left alone, from 0
     * @param minReclaim tokens that have to be reclaimed, from 0
     * @param leastShare the share of the tokens behind the first shortened result that has to be reclaimed, from 0 to 1
     * @param protectedTools tools whose results are left alone, by name
     */
    public record Prune(
            @DefaultValue("true") boolean automatic,
            @DefaultValue("8192") int thresholdChars,
            @DefaultValue("4096") int headChars,
            @DefaultValue("1024") int tailChars,
            @DefaultValue("3") int keepNewest,
            @DefaultValue("2000") long minReclaim,
            @DefaultValue("0.05") double leastShare,
            @DefaultValue Set<String> protectedTools) {

        PruneSettings settings() {
            return new PruneSettings(
                    thresholdChars, headChars, tailChars, keepNewest, minReclaim, leastShare, protectedTools);
        }
    }

    CompactionSettings settings() {
        Map<String, ModelWindow> windows = new HashMap<>();
        models.forEach((name, model) -> windows.put(name, window(model)));
        return new CompactionSettings(
                window(new Model(null, null, null)), windows, retries, summaryTokens, timeout, whenChanged);
    }

    private ModelWindow window(Model model) {
        Long size = model.contextWindow() == null ? contextWindow : model.contextWindow();
        return new ModelWindow(
                size == null ? OptionalLong.empty() : OptionalLong.of(size),
                model.threshold() == null ? threshold : model.threshold(),
                model.retainedTail() == null ? retainedTail : model.retainedTail());
    }
}
