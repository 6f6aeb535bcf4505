package io.surfacelog.cli;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionPrune;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.CompactionSummary;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventType;
import io.surfacelog.event.ImageBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.Payload;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.Shadowed;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.TodoWrite;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.Usage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What an event says, in a few words. Not cut and not made visible: whoever prints it knows the columns and has {@link
 * ShownText}. Long texts are shortened to what any line can hold, so that an event of 16 MiB costs no more than another.
 */
final class Preview {

    private static final int LONG = 2_000;

    private Preview() {}

    /** What the event says. Cost: O(1) for texts of any length. */
    static String of(SessionEvent event) {
        Payload payload = event.payload();
        if (payload instanceof SurfacePayload surface) {
            return ofSurface(surface);
        }
        if (payload instanceof AssistantChunk chunk) {
            return ofChunk(chunk.chunk());
        }
        if (payload instanceof TurnStart start) {
            return "turn " + start.turn();
        }
        if (payload instanceof TurnEnd end) {
            return "turn " + end.turn() + " " + end.reason().kind()
                    + end.reason().errorMessage().map(why -> ": " + why).orElse("");
        }
        if (payload instanceof StepStart start) {
            return "turn " + start.turn() + " step " + start.step();
        }
        if (payload instanceof StepEnd end) {
            return "turn " + end.turn() + " step " + end.step();
        }
        if (payload instanceof ToolCall call) {
            return call(call.name(), call.arguments());
        }
        if (payload instanceof TodoWrite todo) {
            return todo.todos().stream()
                    .map(entry -> mark(entry.status()) + " " + entry.content())
                    .collect(Collectors.joining("  "));
        }
        if (payload instanceof RequestHeader header) {
            int tools = header.tools().items().size();
            return header.provider() + "/" + header.model() + ", " + count(tools, "tool")
                    + header.reason().map(reason -> " (" + reason + ")").orElse("");
        }
        if (payload instanceof RequestContext context) {
            return context.provider() + "/" + context.model()
                    + (context.contextWindow().isPresent()
                            ? ", window of " + context.contextWindow().getAsLong() + " tokens"
                            : "");
        }
        return event.type().equals(EventType.LLM_RETRY) ? ofRetry(event.data().value()) : ofCompaction(event, payload);
    }

    /** Of any shape, since no rule asks for one. */
    private static String ofRetry(Json data) {
        JsonObject retry = data instanceof JsonObject object ? object : JsonObject.EMPTY;
        OptionalLong attempt = retry.longValue("attempt");
        OptionalLong delay = retry.longValue("delayMs");
        Optional<JsonObject> error = retry.object("error");
        return (attempt.isPresent() ? "attempt " + attempt.getAsLong() : "the attempt") + " failed"
                + error.flatMap(cause -> cause.string("code"))
                        .map(code -> " with " + shortened(code))
                        .orElse("")
                + error.flatMap(cause -> cause.string("message"))
                        .map(message -> ": " + shortened(message))
                        .orElse("")
                + "; another follows" + (delay.isPresent() ? " in " + delay.getAsLong() + " ms" : "");
    }

    private static String ofCompaction(SessionEvent event, Payload payload) {
        if (payload instanceof CompactionStart start) {
            return "compaction " + start.compactionId();
        }
        if (payload instanceof CompactionSummary summary) {
            String text = summary.summary().items().stream()
                    .filter(block -> block instanceof JsonObject)
                    .map(block -> of(ContentBlock.of((JsonObject) block)))
                    .collect(Collectors.joining(" "));
            return hides(summary.shadowed()) + ": " + text;
        }
        if (payload instanceof CompactionPrune prune) {
            return hides(prune.shadowed());
        }
        if (payload instanceof CompactionEnd end) {
            Json error = end.error();
            return "compaction " + end.compactionId() + (error == null ? "" : " failed: " + shortened(error.toText()));
        }
        return shortened(event.data().text());
    }

    private static String hides(Shadowed shadowed) {
        return "hides " + count(shadowed.seqs().size(), "node") + ", about " + shadowed.tokenCount() + " tokens";
    }

    private static String ofSurface(SurfacePayload payload) {
        String text = of(payload.message());
        if (payload instanceof AssistantMessage assistant && assistant.interrupted()) {
            return "(interrupted) " + text;
        }
        if (payload instanceof ToolResult result && result.error().isPresent()) {
            return "✗ " + result.error().get().code() + " " + of(result.block().content(), " ");
        }
        return text;
    }

    /** What a message says: its blocks one after the other, but what it thinks only if it says nothing else. */
    static String of(Message message) {
        List<ContentBlock> content = message.content();
        List<ContentBlock> said = content.stream()
                .filter(block -> !(block instanceof ReasoningBlock))
                .toList();
        String text = of(said.isEmpty() ? content : said, "  ");
        return text.isEmpty() ? "(empty)" : text;
    }

    /** Who speaks in a message: the model, the user, a tool, or what else put it there. */
    static String speaker(Message message) {
        MessageSource source = message.source();
        if (source.kind().equals(MessageSource.MODEL)) {
            return Message.ASSISTANT;
        }
        return source.json()
                .string("plugin")
                .map(plugin -> source.kind() + " " + plugin)
                .orElse(source.kind());
    }

    /** Where a message comes from, more closely: the model, or the call that a tool answers. */
    static String origin(Message message) {
        MessageSource source = message.source();
        return switch (source.kind()) {
            case MessageSource.MODEL ->
                source.provider().orElse("") + "/" + source.model().orElse("");
            case MessageSource.TOOL -> source.callId().orElse("");
            default -> speaker(message);
        };
    }

    private static String of(List<ContentBlock> blocks, String between) {
        return blocks.stream().limit(LONG).map(Preview::of).collect(Collectors.joining(between));
    }

    /** What a block says. */
    static String of(ContentBlock block) {
        if (block instanceof TextBlock text) {
            return shortened(text.text());
        }
        if (block instanceof ReasoningBlock reasoning) {
            return "(thinks) " + shortened(reasoning.text());
        }
        if (block instanceof ToolCallBlock call) {
            return "⚙ " + call(call.name(), call.arguments());
        }
        if (block instanceof ToolResultBlock result) {
            return (result.isError() ? "✗ " : "") + of(result.content(), " ");
        }
        if (block instanceof ImageBlock) {
            return "(image)";
        }
        return shortened(block.json().toText());
    }

    private static String ofChunk(StreamChunk chunk) {
        if (chunk instanceof StreamChunk.TextDelta delta) {
            return "text " + quoted(delta.text());
        }
        if (chunk instanceof StreamChunk.ReasoningDelta delta) {
            return "reasoning " + quoted(delta.text());
        }
        if (chunk instanceof StreamChunk.ToolCallDelta delta) {
            return "call " + delta.name().map(name -> name + " ").orElse("") + quoted(delta.argumentsDelta());
        }
        if (chunk instanceof StreamChunk.BlockStart start) {
            return "block " + start.index() + " begins: " + start.blockType();
        }
        if (chunk instanceof StreamChunk.BlockEnd end) {
            return "block " + end.index() + " ends";
        }
        if (chunk instanceof StreamChunk.UsageReport report) {
            return report.usage()
                    .map(Preview::of)
                    .orElseGet(() -> shortened(report.json().toText()));
        }
        if (chunk instanceof StreamChunk.Finish finish) {
            Json reason = finish.reason();
            return "finish" + (reason == null ? "" : " " + shortened(reason.toText()));
        }
        return shortened(chunk.json().toText());
    }

    private static String of(Usage usage) {
        Function<String, Function<Long, String>> also = name -> tokens -> ", " + tokens + " " + name;
        return usage.inputTokens() + " tokens in, " + usage.outputTokens() + " out"
                + usage.cacheReadTokens().stream()
                        .boxed()
                        .map(also.apply("from the cache"))
                        .findFirst()
                        .orElse("");
    }

    private static String call(String name, String arguments) {
        return name + "(" + shortened(arguments) + ")";
    }

    private static String mark(String status) {
        return switch (status) {
            case "completed" -> "✓";
            case "in_progress" -> "▸";
            default -> "○";
        };
    }

    private static String quoted(String text) {
        return "\"" + shortened(text) + "\"";
    }

    /** No line is that long, so nothing that could be shown is lost. */
    private static String shortened(String text) {
        if (text.length() <= LONG) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(LONG - 1)) ? LONG - 1 : LONG);
    }

    /** A number and what it counts. */
    static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
