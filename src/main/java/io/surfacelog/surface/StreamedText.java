package io.surfacelog.surface;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.TextBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts the text and reasoning of one attempt's chunks together. */
final class StreamedText {

    private final long turn;
    private final long step;
    private final Map<String, Part> parts = new LinkedHashMap<>();
    private final EventSeqs.Builder used = EventSeqs.builder();

    StreamedText(long turn, long step) {
        this.turn = turn;
        this.step = step;
    }

    void add(SessionEvent event) {
        if (!(event.payload() instanceof AssistantChunk chunk) || chunk.turn() != turn || chunk.step() != step) {
            return;
        }
        StreamChunk part = chunk.chunk();
        if (part instanceof StreamChunk.TextDelta delta) {
            take(event, "text", delta.index(), delta.text());
        } else if (part instanceof StreamChunk.ReasoningDelta delta) {
            take(event, "reasoning", delta.index(), delta.text());
        } else if (part instanceof StreamChunk.BlockEnd end) {
            takeWhole(event, end.index(), end.block());
        }
    }

    /** A provider may send a block whole, without deltas. */
    private void takeWhole(SessionEvent event, long index, ContentBlock block) {
        if (block instanceof TextBlock text && !parts.containsKey("text" + index)) {
            take(event, "text", index, text.text());
        } else if (block instanceof ReasoningBlock reasoning && !parts.containsKey("reasoning" + index)) {
            take(event, "reasoning", index, reasoning.text());
        }
    }

    private void take(SessionEvent event, String kind, long index, String text) {
        if (text.isEmpty()) {
            return; // an empty delta gives nothing, so it is no source
        }
        parts.computeIfAbsent(kind + index, key -> new Part(kind.equals("text")))
                .text
                .append(text);
        used.add(event.seq());
    }

    /** Whether a person saw any of it. */
    boolean isVisible() {
        return parts.values().stream()
                .anyMatch(part -> part.visible && !part.text.toString().isBlank());
    }

    JsonArray blocks() {
        List<JsonObject> blocks = new ArrayList<>();
        for (Part part : parts.values()) {
            String text = part.text.toString();
            blocks.add(
                    part.visible
                            ? TextBlock.of(text).json()
                            : ReasoningBlock.of(text).json());
        }
        return JsonArray.of(blocks);
    }

    /** Exactly the chunks that the text is made of, in order. */
    EventSeqs used() {
        return used.build();
    }

    private static final class Part {

        private final boolean visible;
        private final StringBuilder text = new StringBuilder();

        Part(boolean visible) {
            this.visible = visible;
        }
    }
}
