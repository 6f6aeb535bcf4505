package io.surfacelog.model;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.StreamChunk;
import java.util.Locale;

/**
 * Why a model stopped, in one vocabulary for all providers. In the log it stands as {@code {"kind":"max-tokens"}}; read are
 * also plain strings and the words that providers use, as {@code length} or {@code end_turn}.
 *
 * <pre>{@code
 * FinishReason.of(StreamChunk.finish("length")); // MAX_TOKENS
 * }</pre>
 */
public enum FinishReason {
    /** It has said what it had to say. */
    STOP("stop"),
    /** It waits for the results of the tools it called. */
    TOOL_CALLS("tool-calls"),
    /** It was cut off at the limit of its answer, or of its context window. */
    MAX_TOKENS("max-tokens"),
    /** The provider, or the model itself, refused to go on. */
    CONTENT_FILTER("content-filter"),
    /** Any other word, or none. */
    OTHER("other");

    private final String kind;

    FinishReason(String kind) {
        this.kind = kind;
    }

    /** The reason a finish chunk gives. */
    public static FinishReason of(StreamChunk.Finish finish) {
        Json reason = finish.reason();
        if (reason instanceof JsonString word) {
            return named(word.value());
        }
        return reason instanceof JsonObject object ? named(object.string("kind").orElse("")) : OTHER;
    }

    /** The reason of this word, whichever provider's it is. */
    public static FinishReason named(String word) {
        return switch (word.toLowerCase(Locale.ROOT).replace('_', '-')) {
            case "stop", "end-turn", "stop-sequence", "eos" -> STOP;
            case "tool-calls", "tool-use", "function-call" -> TOOL_CALLS;
            case "max-tokens", "length", "model-length", "model-context-window-exceeded" -> MAX_TOKENS;
            case "content-filter", "refusal", "safety" -> CONTENT_FILTER;
            default -> OTHER;
        };
    }

    /** The word it has in the log. */
    public String kind() {
        return kind;
    }

    /** The chunk that ends a stream for this reason. */
    public StreamChunk.Finish chunk() {
        return chunk(kind);
    }

    /** The chunk for a provider's word; one that is not known here is kept as it is. */
    static StreamChunk.Finish chunk(String word) {
        FinishReason known = named(word);
        return new StreamChunk.Finish(JsonObject.builder()
                .put("type", "finish")
                .put(
                        "reason",
                        JsonObject.builder()
                                .put("kind", known == OTHER ? word : known.kind)
                                .build())
                .build());
    }
}
