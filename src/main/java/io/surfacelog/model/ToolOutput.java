package io.surfacelog.model;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.TextBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tool run came to.
 *
 * @param content what the model is told
 * @param isError whether it failed
 * @param meta what is recorded besides and the model is not told, null if nothing
 */
public record ToolOutput(
        List<ContentBlock> content,
        boolean isError,
        @Nullable Json meta) {

    public ToolOutput {
        content = List.copyOf(content);
    }

    public static ToolOutput text(String text) {
        return new ToolOutput(List.of(TextBlock.of(text)), false, null);
    }

    /** A failure the tool itself can tell of. */
    public static ToolOutput error(String text) {
        return new ToolOutput(List.of(TextBlock.of(text)), true, null);
    }

    public ToolOutput meta(Json other) {
        return new ToolOutput(content, isError, other);
    }
}
