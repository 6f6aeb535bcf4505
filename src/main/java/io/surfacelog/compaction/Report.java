package io.surfacelog.compaction;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.Usage;
import java.util.Optional;

/**
 * What a provider reported for a request and its answer.
 *
 * @param seq the assistant/message that holds it, -1 for none
 * @param tokens input, cached or not, and output
 * @param estimated what the surface cost by estimate when the answer had joined it, header included
 */
record Report(long seq, long tokens, long estimated) {

    static final Report NONE = new Report(-1, 0, 0);

    boolean isPresent() {
        return seq >= 0;
    }

    /** The tokens that an event reports; empty unless it is an answer that came with a report of its input. */
    static Optional<Long> tokens(SessionEvent event) {
        if (!event.type().equals(EventType.ASSISTANT_MESSAGE)
                || !event.intent().orElseThrow().isAppend()) {
            return Optional.empty();
        }
        return ((AssistantMessage) event.payload()).usage().flatMap(Report::tokens);
    }

    private static Optional<Long> tokens(Usage usage) {
        long input = usage.inputTokens()
                + Math.max(0, usage.cacheReadTokens().orElse(0))
                + Math.max(0, usage.cacheWriteTokens().orElse(0));
        return input == 0 ? Optional.empty() : Optional.of(input + usage.outputTokens());
    }
}
