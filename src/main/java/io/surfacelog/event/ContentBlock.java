package io.surfacelog.event;

/** One block of a message's content: a view of JSON that keeps members it does not know. */
public sealed interface ContentBlock
        permits TextBlock, ReasoningBlock, ImageBlock, ToolCallBlock, ToolResultBlock, UnknownBlock {

    /** The whole block, extra members included. */
    JsonObject json();

    /** The typed view of a block; an {@link UnknownBlock} where its type or shape is not known. */
    static ContentBlock of(JsonObject json) {
        try {
            return switch (json.string("type").orElse("")) {
                case TextBlock.TYPE -> new TextBlock(json);
                case ReasoningBlock.TYPE -> new ReasoningBlock(json);
                case ImageBlock.TYPE -> new ImageBlock(json);
                case ToolCallBlock.TYPE -> new ToolCallBlock(json);
                case ToolResultBlock.TYPE -> new ToolResultBlock(json);
                default -> new UnknownBlock(json);
            };
        } catch (AdmissionException notThatShape) {
            return new UnknownBlock(json);
        }
    }
}
