package io.surfacelog.event;

import org.jspecify.annotations.Nullable;

/** The kinds of stream delta that pack into rows, with the names that each has as an event and as a row. */
enum ChunkRowKind {
    TEXT("text-chunks", StreamChunk.TextDelta.TYPE, "texts", "text"),
    REASONING("reasoning-chunks", StreamChunk.ReasoningDelta.TYPE, "texts", "text"),
    TOOL_CALL("tool-call-chunks", StreamChunk.ToolCallDelta.TYPE, "args", "argumentsDelta");

    private final String rowType;
    private final String chunkType;
    private final String texts;
    private final String text;

    ChunkRowKind(String rowType, String chunkType, String texts, String text) {
        this.rowType = rowType;
        this.chunkType = chunkType;
        this.texts = texts;
        this.text = text;
    }

    static @Nullable ChunkRowKind ofRowType(String type) {
        for (ChunkRowKind kind : values()) {
            if (kind.rowType.equals(type)) {
                return kind;
            }
        }
        return null;
    }

    static @Nullable ChunkRowKind ofChunkType(String type) {
        for (ChunkRowKind kind : values()) {
            if (kind.chunkType.equals(type)) {
                return kind;
            }
        }
        return null;
    }

    /** The {@code type} of a row. */
    String rowType() {
        return rowType;
    }

    /** The {@code type} of the chunk of an event. */
    String chunkType() {
        return chunkType;
    }

    /** The member of a row's data that holds the texts. */
    String texts() {
        return texts;
    }

    /** The member of a chunk that holds its text. */
    String text() {
        return text;
    }

    /** Whether rows and chunks name the call they belong to. */
    boolean namesCall() {
        return this == TOOL_CALL;
    }
}
