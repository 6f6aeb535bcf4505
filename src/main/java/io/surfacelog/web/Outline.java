package io.surfacelog.web;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventPlace;
import io.surfacelog.event.ImageBlock;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.Message;
import io.surfacelog.event.Payload;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Events without their data: enough for a line in a list, however large the event. Says of each whether the surface it is
 * looked at with holds it, no longer holds it, or never could.
 */
final class Outline {

    private static final int PREVIEW = 160;

    private final Set<Long> onSurface;

    Outline(Surface surface) {
        onSurface = new HashSet<>();
        for (long seq : surface.nodeSeqs()) {
            onSurface.add(seq);
        }
    }

    String text(SessionEvent event) {
        return line(event)
                .put("state", onSurface.contains(event.seq()) ? "surface" : event.isSurface() ? "shadowed" : "log-only")
                .build()
                .toText();
    }

    /** A node of a surface, with what a list shows of it. */
    static JsonObject.Builder node(SurfaceNode node) {
        return line(node.event()).put("derivesMessage", node.derivesMessage());
    }

    static JsonObject.Builder line(SessionEvent event) {
        JsonObject.Builder line = JsonObject.builder()
                .put("seq", event.seq())
                .put("time", event.time())
                .put("type", event.type());
        EventPlace place = event.place();
        if (place.turn() > 0) {
            line.put("turn", place.turn());
        }
        if (place.step() > 0) {
            line.put("step", place.step());
        }
        event.intent().ifPresent(intent -> {
            if (intent.op() instanceof SurfaceOp.Replace) {
                line.put("surfaceOp", intent.op().toJson());
            }
            intent.sources().ifPresent(sources -> line.put("sources", JsonViews.seqs(sources)));
        });
        return line.put("bytes", event.data().utf8Bytes()).put("preview", preview(event));
    }

    private static String preview(SessionEvent event) {
        Payload payload = event.payload();
        if (payload instanceof SurfacePayload surface) {
            return cut(message(surface.message()));
        }
        if (payload instanceof AssistantChunk chunk) {
            StreamChunk said = chunk.chunk();
            return cut(
                    said instanceof StreamChunk.TextDelta text
                            ? text.text()
                            : said instanceof StreamChunk.ReasoningDelta text
                                    ? text.text()
                                    : event.data().text());
        }
        if (payload instanceof ToolCall call) {
            return call.name() + "(" + cut(call.arguments()) + ")";
        }
        return cut(event.data().text());
    }

    private static String message(Message message) {
        StringBuilder out = new StringBuilder();
        for (ContentBlock block : message.content()) {
            if (out.length() > PREVIEW) {
                break;
            }
            out.append(out.length() == 0 ? "" : " ").append(block(block));
        }
        return out.toString();
    }

    private static String block(ContentBlock block) {
        if (block instanceof TextBlock text) {
            return cut(text.text());
        }
        if (block instanceof ReasoningBlock text) {
            return cut(text.text());
        }
        if (block instanceof ToolCallBlock call) {
            return call.name() + "(" + cut(call.arguments()) + ")";
        }
        if (block instanceof ToolResultBlock result) {
            List<ContentBlock> content = result.content();
            return content.isEmpty() || content.get(0) instanceof ToolResultBlock ? "[result]" : block(content.get(0));
        }
        return "[" + kind(block).value() + "]";
    }

    /** What a block is, and of one that is no text also the media type it names and its size in the log. */
    static JsonString kind(ContentBlock block) {
        String type = block.json().string("type").orElse("block");
        if (block instanceof TextBlock
                || block instanceof ReasoningBlock
                || block instanceof ToolCallBlock
                || block instanceof ToolResultBlock) {
            return JsonString.of(type);
        }
        JsonObject named =
                block instanceof ImageBlock && block.json().get("attachment") instanceof JsonObject attachment
                        ? attachment
                        : block.json();
        String media = named.string("mediaType")
                .or(() -> named.string("mimeType"))
                .or(() -> named.string("media_type"))
                .map(text -> " " + text)
                .orElse("");
        return JsonString.of(cut(type + media + ", " + block.json().toText().length() + " characters"));
    }

    private static String cut(String text) {
        if (text.length() <= PREVIEW) {
            return text;
        }
        // never between the halves of a character
        int end = Character.isHighSurrogate(text.charAt(PREVIEW - 1)) ? PREVIEW - 1 : PREVIEW;
        return text.substring(0, end) + "…";
    }
}
