package io.surfacelog.compaction;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.ImageBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;

/** Prices each kind of block by what of it reaches the model. */
final class HeuristicTokens implements TokenEstimator {

    static final HeuristicTokens INSTANCE = new HeuristicTokens();

    /** About what providers count for an image of the largest size they do not scale down. */
    static final long IMAGE = 1_600;

    /** What stands around a call or a result: ids and names of members. */
    static final long CALL_FRAME = 8;

    private HeuristicTokens() {}

    @Override
    public long tokens(ContentBlock block) {
        if (block instanceof TextBlock text) {
            return TextWeights.tokens(text.text());
        }
        if (block instanceof ReasoningBlock reasoning) {
            return TextWeights.tokens(reasoning.text());
        }
        if (block instanceof ImageBlock) {
            return IMAGE;
        }
        if (block instanceof ToolCallBlock call) {
            return CALL_FRAME + TextWeights.tokens(call.name()) + TextWeights.tokens(call.arguments());
        }
        if (block instanceof ToolResultBlock result) {
            long sum = CALL_FRAME;
            for (Json item : result.json().array("content").orElseThrow().items()) {
                sum += item instanceof JsonObject inner
                        ? tokens(ContentBlock.of(inner))
                        : TextWeights.tokens(item.toText());
            }
            return sum;
        }
        return TextWeights.tokens(block.json().toText());
    }
}
