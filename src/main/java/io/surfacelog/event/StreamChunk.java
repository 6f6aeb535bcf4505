package io.surfacelog.event;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One chunk of a model's stream: a view of JSON that keeps members it does not know. */
public sealed interface StreamChunk {

    /** The whole chunk, extra members included. */
    JsonObject json();

    /** The typed view of a chunk; {@link Unknown} where its type or shape is not known. */
    static StreamChunk of(JsonObject json) {
        try {
            return switch (json.string("type").orElse("")) {
                case BlockStart.TYPE -> new BlockStart(json);
                case TextDelta.TYPE -> new TextDelta(json);
                case ReasoningDelta.TYPE -> new ReasoningDelta(json);
                case ToolCallDelta.TYPE -> new ToolCallDelta(json);
                case BlockEnd.TYPE -> new BlockEnd(json);
                case UsageReport.TYPE -> new UsageReport(json);
                case Finish.TYPE -> new Finish(json);
                default -> new Unknown(json);
            };
        } catch (AdmissionException notThatShape) {
            return new Unknown(json);
        }
    }

    static TextDelta text(long index, String text) {
        return new TextDelta(block(TextDelta.TYPE, index).put("text", text).build());
    }

    static ReasoningDelta reasoning(long index, String text) {
        return new ReasoningDelta(
                block(ReasoningDelta.TYPE, index).put("text", text).build());
    }

    static ToolCallDelta toolCall(long index, String id, @Nullable String name, String argumentsDelta) {
        return new ToolCallDelta(block(ToolCallDelta.TYPE, index)
                .put("id", id)
                .putIfPresent("name", name)
                .put("argumentsDelta", argumentsDelta)
                .build());
    }

    static BlockStart blockStart(long index, String blockType) {
        return new BlockStart(
                block(BlockStart.TYPE, index).put("blockType", blockType).build());
    }

    static BlockEnd blockEnd(long index, ContentBlock contentBlock) {
        return new BlockEnd(
                block(BlockEnd.TYPE, index).put("block", contentBlock.json()).build());
    }

    static UsageReport usage(Usage usage) {
        return new UsageReport(JsonObject.builder()
                .put("type", UsageReport.TYPE)
                .put("usage", usage.json())
                .build());
    }

    static Finish finish(String reason) {
        return new Finish(JsonObject.builder()
                .put("type", Finish.TYPE)
                .put("reason", reason)
                .build());
    }

    private static JsonObject.Builder block(String type, long index) {
        return JsonObject.builder().put("type", type).put("index", index);
    }

    /** A block begins. */
    record BlockStart(JsonObject json) implements StreamChunk {
        static final String TYPE = "block-start";

        public BlockStart {
            Shape.integer(json, "index", 0);
            Shape.text(json, "blockType");
        }

        public long index() {
            return Shape.integer(json, "index", 0);
        }

        public String blockType() {
            return Shape.text(json, "blockType");
        }
    }

    /** More text of a text block. */
    record TextDelta(JsonObject json) implements StreamChunk {
        static final String TYPE = "text-delta";

        public TextDelta {
            Shape.integer(json, "index", 0);
            Shape.text(json, "text");
        }

        public long index() {
            return Shape.integer(json, "index", 0);
        }

        public String text() {
            return Shape.text(json, "text");
        }
    }

    /** More text of a reasoning block. */
    record ReasoningDelta(JsonObject json) implements StreamChunk {
        static final String TYPE = "reasoning-delta";

        public ReasoningDelta {
            Shape.integer(json, "index", 0);
            Shape.text(json, "text");
        }

        public long index() {
            return Shape.integer(json, "index", 0);
        }

        public String text() {
            return Shape.text(json, "text");
        }
    }

    /** More arguments of a tool call. */
    record ToolCallDelta(JsonObject json) implements StreamChunk {
        static final String TYPE = "tool-call-delta";

        public ToolCallDelta {
            Shape.integer(json, "index", 0);
            Shape.text(json, "id");
            Shape.text(json, "argumentsDelta");
        }

        public long index() {
            return Shape.integer(json, "index", 0);
        }

        public String id() {
            return Shape.text(json, "id");
        }

        public Optional<String> name() {
            return json.string("name");
        }

        public String argumentsDelta() {
            return Shape.text(json, "argumentsDelta");
        }
    }

    /** A block is complete. */
    record BlockEnd(JsonObject json) implements StreamChunk {
        static final String TYPE = "block-end";

        public BlockEnd {
            Shape.integer(json, "index", 0);
            Shape.object(json, "block");
        }

        public long index() {
            return Shape.integer(json, "index", 0);
        }

        public ContentBlock block() {
            return ContentBlock.of(Shape.object(json, "block"));
        }
    }

    /** Tokens used so far. */
    record UsageReport(JsonObject json) implements StreamChunk {
        static final String TYPE = "usage";

        public UsageReport {
            Shape.object(json, "usage");
        }

        /** The usage, empty where it does not have the shape the format names. */
        public Optional<Usage> usage() {
            return Shape.view(json.get("usage"), Usage::new);
        }
    }

    /** The stream is complete. */
    record Finish(JsonObject json) implements StreamChunk {
        static final String TYPE = "finish";

        /** Why it ended, null where it was not recorded. */
        public @Nullable Json reason() {
            return json.get("reason");
        }

        /** What the provider needs to continue from here, null where there is nothing. */
        public @Nullable Json replayState() {
            return json.get("replayState");
        }
    }

    /** A chunk of a type or shape that is not known here. */
    record Unknown(JsonObject json) implements StreamChunk {}
}
