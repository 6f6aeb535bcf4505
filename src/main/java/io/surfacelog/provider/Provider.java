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
     * <p>It has all that the provider demands and may be sent as it is; a client adds only what concerns the sending, as
     * {@code stream}. Each call of a tool has a result directly behind it, whatever the messages hold. Without a header the
     * model is the one that spoke last, else {@code unknown}.
     *
     * <pre>{@code
     * RenderedRequest request = Provider.ANTHROPIC.render(surface.requestHeader(), surface.messages());
     * request.body();        // {"model":…,"max_tokens":…,"messages":[…]}
     * request.adjustments(); // where it says other than the messages do
     * }</pre>
     *
     * @param header the request header in force, empty before the first
     * @param messages the derived messages, in order
     */
    public RenderedRequest render(Optional<RequestHeader> header, List<Message> messages) {
        return Rendering.of(this, header, messages);
    }

    /**
     * What this provider would refuse in a request, by what it is known to answer with an error; empty if it would accept
     * it. Knows nothing of rendering: it judges any request. Pure. Cost: O(content).
     *
     * @param request the body of a request
     */
    public List<Violation> validate(JsonObject request) {
        return this == ANTHROPIC ? AnthropicRules.check(request) : ChatRules.check(this, request);
    }
}
