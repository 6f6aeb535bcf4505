package io.surfacelog.compaction;

/**
 * Makes the text that takes the place of hidden messages. A bean of this type takes the place of the one that the settings
 * choose. Implementations are safe for use by several threads.
 *
 * <pre>{@code
 * Summarizer headline = request -> Summary.of(
 *         "So far " + request.hidden().size() + " messages were exchanged.", "example", "headline-1");
 * }</pre>
 */
@FunctionalInterface
public interface Summarizer {

    /**
     * Makes a summary. Called on a thread that may wait; it is interrupted when the compaction is cancelled or has taken too
     * long, and what it answers after that is not heard.
     *
     * @throws SummaryException if there is none that can be used
     * @throws InterruptedException if it is not wanted any more
     */
    Summary summarize(SummaryRequest request) throws InterruptedException;
}
