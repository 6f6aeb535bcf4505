package io.surfacelog.testing;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.UnknownBlock;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random messages, chunks and tool runs. */
final class MessageDrafts {

    private final SplittableRandom random;
    private final OddValues odd;
    private long messages;
    private int kind;
    private int index;

    MessageDrafts(SplittableRandom random, OddValues odd) {
        this.random = random;
        this.odd = odd;
    }

    /** A user, context or steering message with this intent. */
    Draft user(SurfaceIntent intent) {
        Message message = message("user", MessageSource.ofKind(odd.name("user")), blocks(List.of()));
        return switch (random.nextInt(6)) {
            case 0 -> Draft.of(new ContextMessage(message.json()), intent);
            case 1 -> Draft.of(new SteeringMessage(message.json()), intent);
            default -> Draft.of(UserMessage.of(message), intent);
        };
    }

    /** The message that a compaction puts in the place of what it hides. */
    Draft summary(String compactionId, SurfaceIntent intent) {
        MessageSource source = new MessageSource(JsonObject.builder()
                .put("kind", "plugin")
                .put("plugin", "compact")
                .put("compactionId", compactionId)
                .build());
        return Draft.of(UserMessage.of(message("user", source, blocks(List.of()))), intent);
    }

    Draft assistant(long turn, long step, List<ToolCallBlock> calls, SurfaceIntent intent) {
        boolean silent = calls.isEmpty() && random.nextInt(5) == 0;
        MessageSource source = MessageSource.model(odd.name("acme"), odd.name("m-1"));
        Message message = message("assistant", source, silent ? List.of() : blocks(calls));
        AssistantMessage payload = AssistantMessage.of(turn, step, message);
        if (random.nextInt(3) == 0) {
            payload = payload.withUsage(Usage.of(random.nextInt(9000), random.nextInt(900)));
        }
        return placed(Draft.of(random.nextInt(15) == 0 ? payload.asInterrupted() : payload, intent), turn, step);
    }

    ToolCallBlock call(String id) {
        return ToolCallBlock.of(id, random.nextBoolean() ? "read" : odd.name("bash"), odd.text());
    }

    Draft toolCall(long turn, long step, ToolCallBlock call) {
        return placed(Draft.of(ToolCall.of(turn, step, call)), turn, step);
    }

    Draft toolResult(long turn, long step, String callId, SurfaceIntent intent) {
        ToolResultBlock block = ToolResultBlock.of(callId, blocks(List.of()), random.nextInt(5) == 0);
        ToolResult result = ToolResult.of(turn, step, message("user", MessageSource.tool(callId), List.of(block)));
        if (random.nextInt(6) == 0) {
            result = result.withError(new ToolError("ToolError", odd.text()));
        }
        Draft draft = placed(Draft.of(result, intent), turn, step);
        return random.nextInt(6) == 0 ? draft.with("meta", odd.value()) : draft;
    }

    /** A chunk; deltas come in runs of one kind, as providers send them. */
    Draft chunk(long turn, long step, List<ToolCallBlock> calls) {
        if (random.nextInt(4) == 0) {
            kind = random.nextInt(10);
            index = random.nextInt(2);
        }
        StreamChunk chunk = random.nextInt(12) == 0 ? otherChunk() : delta(calls);
        Draft draft = placed(Draft.of(AssistantChunk.of(turn, step, chunk)), turn, step);
        return random.nextInt(30) == 0 ? draft.with("x", odd.value()) : draft;
    }

    private StreamChunk delta(List<ToolCallBlock> calls) {
        if (kind < 5) {
            return StreamChunk.text(index, odd.text());
        }
        if (kind < 7) {
            return StreamChunk.reasoning(index, odd.text());
        }
        String id = calls.isEmpty() ? "call-0" : calls.get(0).id();
        return StreamChunk.toolCall(index + 2, id, kind == 7 ? "read" : null, odd.text());
    }

    private StreamChunk otherChunk() {
        return switch (random.nextInt(6)) {
            case 0 -> StreamChunk.blockStart(index, random.nextBoolean() ? "text" : "reasoning");
            case 1 -> StreamChunk.blockEnd(index, TextBlock.of(odd.text()));
            case 2 -> StreamChunk.blockEnd(index, ReasoningBlock.of(odd.text()));
            case 3 -> StreamChunk.usage(Usage.of(random.nextInt(9000), random.nextInt(900)));
            case 4 -> StreamChunk.finish("stop");
            default -> StreamChunk.of(odd.object());
        };
    }

    /** The data with its turn and step spelled in some way, now and then. */
    private Draft placed(Draft draft, long turn, long step) {
        return random.nextInt(10) == 0 ? draft.with("turn", odd.spelled(turn)).with("step", odd.spelled(step)) : draft;
    }

    /** What a message holds: the calls, and text, reasoning and other things around them. */
    private List<ContentBlock> blocks(List<ToolCallBlock> calls) {
        List<ContentBlock> blocks = new ArrayList<>(calls);
        for (int i = random.nextInt(calls.isEmpty() ? 1 : 0, 4); i > 0; i--) {
            blocks.add(random.nextInt(blocks.size() + 1), block());
        }
        return blocks;
    }

    private ContentBlock block() {
        return switch (random.nextInt(10)) {
            case 0 -> ReasoningBlock.of(odd.text());
            case 1 -> new UnknownBlock(odd.object().without("type").with("type", Json.of("x-" + odd.text())));
            case 2 -> new TextBlock(TextBlock.of(odd.text()).json().with("x", odd.value()));
            default -> TextBlock.of(odd.text());
        };
    }

    private Message message(String role, MessageSource source, List<? extends ContentBlock> content) {
        String id = random.nextInt(30) == 0 ? odd.name("same") : "m" + messages++;
        JsonObject json = Message.of(id, role, source, content).json();
        return Message.of(random.nextInt(8) == 0 ? json.with("x-extra", odd.value()) : json);
    }

    /** Whether such an assistant message is known to have been made of these chunks, of none, or not at all. */
    SurfaceIntent streamed(List<Long> chunks) {
        SurfaceIntent append = SurfaceIntent.append();
        int die = random.nextInt(6);
        if (die == 0) {
            return append;
        }
        if (chunks.isEmpty()) {
            return die < 3 ? append.citing(EventSeqs.NONE) : append;
        }
        EventSeqs.Builder cited = EventSeqs.builder();
        chunks.forEach(cited::add);
        return append.citing(cited.build());
    }
}
