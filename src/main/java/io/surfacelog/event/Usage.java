package io.surfacelog.event;

import java.util.OptionalLong;

/**
 * Tokens one model call used, as the provider reported them; input excludes cached tokens.
 *
 * @param json the usage, with the integers {@code inputTokens} and {@code outputTokens} from 0
 */
public record Usage(JsonObject json) {

    public Usage {
        Shape.integer(json, "inputTokens", 0);
        Shape.integer(json, "outputTokens", 0);
    }

    public static Usage of(long inputTokens, long outputTokens) {
        return new Usage(JsonObject.builder()
                .put("inputTokens", inputTokens)
                .put("outputTokens", outputTokens)
                .build());
    }

    public long inputTokens() {
        return Shape.integer(json, "inputTokens", 0);
    }

    public long outputTokens() {
        return Shape.integer(json, "outputTokens", 0);
    }

    public OptionalLong cacheReadTokens() {
        return json.longValue("cacheReadTokens");
    }

    public OptionalLong cacheWriteTokens() {
        return json.longValue("cacheWriteTokens");
    }

    public OptionalLong reasoningTokens() {
        return json.longValue("reasoningTokens");
    }
}
