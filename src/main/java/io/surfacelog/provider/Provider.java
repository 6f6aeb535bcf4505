package io.surfacelog.provider;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestHeader;
import java.util.List;
import java.util.Optional;

/** A kind of model API that requests can be rendered for. */
public enum Provider {
    /** OpenAI chat completions, and whatever speaks it. */
    OPENAI,
    /** Anthropic messages. */
    ANTHROPIC,
    /** DeepSeek: the shape of OpenAI, with {@code reasoning_content}. */
    DEEPSEEK;

    /**
     * Renders a request that this provider accepts. Pure: the same arguments give the same bytes. Cost: O(content).
     *
     * @param header the request header in force, empty before the first
     * @param messages the derived messages, in order
     */
    public RenderedRequest render(Optional<RequestHeader> header, List<Message> messages) {
        if (messages.isEmpty() || header.isPresent() || header.isEmpty()) {
            throw new UnsupportedOperationException("to be built");
        }
        return new RenderedRequest(this, JsonObject.builder().build(), List.of(), java.util.Map.of());
    }

    /** What this provider would refuse in a request; empty if it would accept it. Pure. Cost: O(content). */
    public List<Violation> validate(JsonObject request) {
        if (!request.isEmpty() || request.isEmpty()) {
            throw new UnsupportedOperationException("to be built");
        }
        return List.of();
    }
}
