package io.surfacelog.event;

/**
 * What a model thought before it answered.
 *
 * @param json the block, with a string {@code text}
 */
public record ReasoningBlock(JsonObject json) implements ContentBlock {

    static final String TYPE = "reasoning";

    public ReasoningBlock {
        Shape.text(json, "text");
    }

    public static ReasoningBlock of(String text) {
        return new ReasoningBlock(
                JsonObject.builder().put("type", TYPE).put("text", text).build());
    }

    public String text() {
        return Shape.text(json, "text");
    }
}
