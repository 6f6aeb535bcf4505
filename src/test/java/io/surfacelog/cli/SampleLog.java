package io.surfacelog.cli;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.Payload;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.TurnStart;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.Closers;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A log in the making, as an agent would write it: streams, messages, calls and results, with times and ids of its own. */
final class SampleLog {

    static final String PROVIDER = "example";
    static final String MODEL = "helper-2";

    private final List<SessionEvent> events = new ArrayList<>();
    private final Map<String, Long> started = new LinkedHashMap<>();
    private long time;
    private long turn;
    private long step;
    private int messages;

    SampleLog(long time) {
        this.time = time;
    }

    List<SessionEvent> events() {
        return List.copyOf(events);
    }

    Surface surface() {
        return Surface.empty().plan(events).after();
    }

    long turn() {
        return turn;
    }

    /** Lets so many milliseconds pass. */
    SampleLog after(long millis) {
        time += millis;
        return this;
    }

    long add(LogOnlyPayload payload) {
        return add(payload, null);
    }

    long add(SurfacePayload payload, SurfaceIntent intent) {
        return add((Payload) payload, intent);
    }

    private long add(Payload payload, SurfaceIntent intent) {
        long seq = events.size();
        // stands for how long things take, and gives the same file each time
        time += 3 + seq * 7 % 38;
        events.add(SessionEvent.of(seq, time, payload.type(), JsonText.of(payload.json()), intent, false));
        return seq;
    }

    Message message(MessageSource source, ContentBlock... content) {
        String role = source.kind().equals(MessageSource.MODEL) ? Message.ASSISTANT : Message.USER;
        return Message.of("message-" + ++messages, role, source, List.of(content));
    }

    void startTurn(String text) {
        add(TurnStart.of(++turn));
        step = 0;
        add(UserMessage.of(message(MessageSource.ofKind("user"), TextBlock.of(text))), SurfaceIntent.append());
    }

    void endTurn() {
        add(TurnEnd.of(turn, TurnEndReason.completed()));
    }

    void startStep() {
        add(StepStart.of(turn, ++step));
        after(420);
    }

    void endStep() {
        add(StepEnd.of(turn, step));
    }

    /** Streams an answer and records it: what it thinks, says and calls, each empty or absent if it does not. */
    void answer(String reasoning, String text, long inputTokens, ToolCallBlock... calls) {
        long first = events.size();
        List<ContentBlock> blocks = new ArrayList<>();
        if (!reasoning.isEmpty()) {
            blocks.add(streamReasoning(blocks.size(), reasoning));
        }
        if (!text.isEmpty()) {
            blocks.add(streamText(blocks.size(), text));
        }
        for (ToolCallBlock call : calls) {
            streamCall(blocks.size(), call);
            blocks.add(call);
        }
        Usage usage = new Usage(JsonObject.builder()
                .put("inputTokens", inputTokens)
                .put("outputTokens", (long) events.size() - first)
                .put("cacheReadTokens", inputTokens / 2)
                .build());
        chunk(StreamChunk.usage(usage));
        long last = chunk(StreamChunk.finish(calls.length == 0 ? "stop" : "tool-calls"));
        Message message = message(MessageSource.model(PROVIDER, MODEL), blocks.toArray(ContentBlock[]::new));
        add(
                AssistantMessage.of(turn, step, message).withUsage(usage),
                SurfaceIntent.append().citing(EventSeqs.range(first, last)));
    }

    private ContentBlock streamReasoning(int index, String reasoning) {
        chunk(StreamChunk.blockStart(index, "reasoning"));
        pieces(reasoning, 14).forEach(piece -> chunk(StreamChunk.reasoning(index, piece)));
        ContentBlock block = ReasoningBlock.of(reasoning);
        chunk(StreamChunk.blockEnd(index, block));
        return block;
    }

    private ContentBlock streamText(int index, String text) {
        streamOpenText(index, text);
        ContentBlock block = TextBlock.of(text);
        chunk(StreamChunk.blockEnd(index, block));
        return block;
    }

    /** Streams text of a block that does not end. */
    void streamOpenText(int index, String text) {
        chunk(StreamChunk.blockStart(index, "text"));
        pieces(text, 11).forEach(piece -> chunk(StreamChunk.text(index, piece)));
    }

    private void streamCall(int index, ToolCallBlock call) {
        chunk(StreamChunk.blockStart(index, "tool-call"));
        pieces(call.arguments(), 9).forEach(piece -> chunk(StreamChunk.toolCall(index, call.id(), call.name(), piece)));
        chunk(StreamChunk.blockEnd(index, call));
    }

    private long chunk(StreamChunk chunk) {
        return add(AssistantChunk.of(turn, step, chunk));
    }

    private static List<String> pieces(String text, int length) {
        List<String> pieces = new ArrayList<>();
        int[] points = text.codePoints().toArray();
        for (int from = 0; from < points.length; from += length) {
            pieces.add(new String(points, from, Math.min(length, points.length - from)));
        }
        return pieces;
    }

    void startCall(ToolCallBlock call) {
        started.put(call.id(), add(ToolCall.of(turn, step, call)));
    }

    long result(ToolCallBlock call, String text) {
        return result(call, ToolResult.of(turn, step, toolMessage(ToolResultBlock.of(call.id(), text))));
    }

    long result(ToolCallBlock call, ToolResult result) {
        return add(result, SurfaceIntent.append().citing(started.get(call.id())));
    }

    Message toolMessage(ToolResultBlock block) {
        return message(MessageSource.tool(block.toolCallId()), block);
    }

    long step() {
        return step;
    }

    /** What recovery wrote after a crash at this point. */
    void recover() {
        events.addAll(Closers.of(surface(), LogReader.of(events), RecoverySettings.defaults()));
    }
}
