package io.surfacelog.event;

/**
 * A tool call the model asks for.
 *
 * @param json the block, with the strings {@code id}, {@code name} and {@code arguments}
 */
public record ToolCallBlock(JsonObject json) implements ContentBlock {

    static final String TYPE = "tool-call";

    public ToolCallBlock {
        Shape.text(json, "id");
        Shape.text(json, "name");
        Shape.text(json, "arguments");
    }

    /** A call; arguments is the raw text the model produced. */
    public static ToolCallBlock of(String id, String name, String arguments) {
        return new ToolCallBlock(JsonObject.builder()
                .put("type", TYPE)
                .put("id", id)
                .put("name", name)
                .put("arguments", arguments)
                .build());
    }

    public String id() {
        return Shape.text(json, "id");
    }

    public String name() {
        return Shape.text(json, "name");
    }

    /** The raw text the model produced, which need not be JSON. */
    public String arguments() {
        return Shape.text(json, "arguments");
    }
}
