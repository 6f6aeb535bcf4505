package io.surfacelog.event;

/**
 * Text a person or a model wrote.
 *
 * @param json the block, with a string {@code text}
 */
public record TextBlock(JsonObject json) implements ContentBlock {

    static final String TYPE = "text";

    public TextBlock {
        Shape.text(json, "text");
    }

    public static TextBlock of(String text) {
        return new TextBlock(
                JsonObject.builder().put("type", TYPE).put("text", text).build());
    }

    public String text() {
        return Shape.text(json, "text");
    }
}
