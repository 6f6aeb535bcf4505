package io.surfacelog.agent;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One block of a stream, as far as it has come. Used by one thread. */
final class ChunkBlock {

    static final String TEXT = "text";
    static final String REASONING = "reasoning";
    static final String TOOL_CALL = "tool-call";

    final String kind;
    private final StringBuilder text = new StringBuilder();
    private String id = "";
    private String name = "";
    private @Nullable JsonObject whole;

    ChunkBlock(String kind) {
        this.kind = kind;
    }

    void append(String more) {
        text.append(more);
    }

    /** Takes the first id and the first name that are not empty: some providers repeat them, some send empty ones. */
    void callIs(Optional<String> givenId, Optional<String> givenName) {
        if (id.isEmpty()) {
            id = givenId.orElse("");
        }
        if (name.isEmpty()) {
            name = givenName.orElse("");
        }
    }

    String id() {
        return id;
    }

    void end(JsonObject block) {
        whole = block;
        if (isCall()) {
            block.string("id").filter(given -> !given.isEmpty()).ifPresent(given -> id = given);
        }
    }

    boolean isEnded() {
        return whole != null;
    }

    boolean isCall() {
        return kind.equals(TOOL_CALL);
    }

    /** The block, empty where there is nothing of it yet or only its end can say what it is. */
    Optional<ContentBlock> block() {
        if (whole != null) {
            return Optional.of(ContentBlock.of(whole));
        }
        String soFar = text.toString();
        return switch (kind) {
            case TEXT -> soFar.isEmpty() ? Optional.empty() : Optional.of(TextBlock.of(soFar));
            case REASONING -> soFar.isEmpty() ? Optional.empty() : Optional.of(ReasoningBlock.of(soFar));
            default -> Optional.empty();
        };
    }

    /** The call under this id; what its end leaves out is taken from its fragments. */
    ToolCallBlock call(String callId) {
        if (whole == null) {
            return ToolCallBlock.of(callId, name, text.toString());
        }
        JsonObject block = whole.with("id", JsonString.of(callId));
        if (whole.string("name").isEmpty()) {
            block = block.with("name", JsonString.of(name));
        }
        if (whole.string("arguments").isEmpty()) {
            var arguments = whole.get("arguments");
            block = block.with(
                    "arguments",
                    JsonString.of(text.isEmpty() && arguments != null ? arguments.toText() : text.toString()));
        }
        return new ToolCallBlock(block);
    }
}
