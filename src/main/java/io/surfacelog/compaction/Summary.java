package io.surfacelog.compaction;

import io.surfacelog.event.Usage;
import java.util.Optional;

/**
 * A summary as a {@link Summarizer} made it.
 *
 * @param text what takes the place of the hidden messages
 * @param provider who made it; not empty
 * @param model by what; not empty
 * @param usage the tokens a model used for it
 */
public record Summary(String text, String provider, String model, Optional<Usage> usage) {

    public Summary {
        if (provider.isEmpty() || model.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected the provider and model of a summary, found \"" + provider + "\" and \"" + model + "\"");
        }
    }

    /** A summary that no model was asked for. */
    public static Summary of(String text, String provider, String model) {
        return new Summary(text, provider, model, Optional.empty());
    }
}
