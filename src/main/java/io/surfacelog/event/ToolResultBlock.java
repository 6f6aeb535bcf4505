package io.surfacelog.event;

import java.util.ArrayList;
import java.util.List;

/**
 * What a tool call came to.
 *
 * @param json the block, with a string {@code toolCallId} and an array {@code content}
 */
public record ToolResultBlock(JsonObject json) implements ContentBlock {

    static final String TYPE = "tool-result";

    public ToolResultBlock {
        Shape.text(json, "toolCallId");
        Shape.array(json, "content");
    }

    /** A result of one text block. */
    public static ToolResultBlock of(String toolCallId, String text) {
        return of(toolCallId, List.of(TextBlock.of(text)), false);
    }

    /** An error result of one text block. */
    public static ToolResultBlock error(String toolCallId, String text) {
        return of(toolCallId, List.of(TextBlock.of(text)), true);
    }

    public static ToolResultBlock of(String toolCallId, List<? extends ContentBlock> content, boolean isError) {
        JsonObject.Builder block = JsonObject.builder()
                .put("type", TYPE)
                .put("toolCallId", toolCallId)
                .put(
                        "content",
                        JsonArray.of(content.stream().map(ContentBlock::json).toList()));
        return new ToolResultBlock((isError ? block.put("isError", true) : block).build());
    }

    public String toolCallId() {
        return Shape.text(json, "toolCallId");
    }

    /** The blocks of the result; items that are no objects are left out here and kept in {@link #json()}. */
    public List<ContentBlock> content() {
        List<ContentBlock> blocks = new ArrayList<>();
        for (Json item : Shape.array(json, "content").items()) {
            if (item instanceof JsonObject block) {
                blocks.add(ContentBlock.of(block));
            }
        }
        return List.copyOf(blocks);
    }

    public boolean isError() {
        return json.isTrue("isError");
    }
}
