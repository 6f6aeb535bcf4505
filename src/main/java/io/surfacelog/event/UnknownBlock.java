package io.surfacelog.event;

/**
 * A block of a type or shape that is not known here; kept and passed on as it is.
 *
 * @param json the block
 */
public record UnknownBlock(JsonObject json) implements ContentBlock {}
