package io.surfacelog.testing;

import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
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
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.Surface;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a log by hand, readably: seqs count by themselves, turn and step are those last started, every event is admitted
 * at once.
 *
 * <pre>{@code
 * List<SessionEvent> log = LogBuilder.log()
 *         .turnStart(1).user("hi")
 *         .stepStart(1).assistant(LogBuilder.call("c1")).toolCall("c1").toolResult("c1").stepEnd()
 *         .turnEnd()
 *         .events();
 * }</pre>
 */
public final class LogBuilder {

    private final List<SessionEvent> events = new ArrayList<>();
    private Surface surface = Surface.empty();
    private long turn = 1;
    private long step = 1;

    private LogBuilder() {}

    public static LogBuilder log() {
        return new LogBuilder();
    }

    /** A call block of the tool {@code read}. */
    public static ToolCallBlock call(String id) {
        return ToolCallBlock.of(id, "read", "{}");
    }

    public static TextBlock text(String text) {
        return TextBlock.of(text);
    }

    /** A user message whose id is its text. */
    public static UserMessage userMessage(String text) {
        return UserMessage.of(Message.of(text, Message.USER, MessageSource.ofKind("user"), List.of(text(text))));
    }

    public List<SessionEvent> events() {
        return List.copyOf(events);
    }

    /** The fold of the events so far. */
    public Surface surface() {
        return surface;
    }

    /** The seq of the event added last. */
    public long last() {
        return surface.nextSeq() - 1;
    }

    /** The following events belong to this turn and step, whatever was started. */
    public LogBuilder at(long otherTurn, long otherStep) {
        turn = otherTurn;
        step = otherStep;
        return this;
    }

    public LogBuilder add(SessionEvent event) {
        surface = surface.plan(List.of(event)).after();
        events.add(event);
        return this;
    }

    public LogBuilder addAll(List<SessionEvent> more) {
        more.forEach(this::add);
        return this;
    }

    public LogBuilder add(LogOnlyPayload payload) {
        return add(Draft.of(payload).at(surface.nextSeq(), time()));
    }

    public LogBuilder add(SurfacePayload payload, SurfaceIntent intent) {
        return add(Draft.of(payload, intent).at(surface.nextSeq(), time()));
    }

    public LogBuilder append(SurfacePayload payload) {
        return add(payload, SurfaceIntent.append());
    }

    /** Hides the nodes from start to end by position, citing each. */
    public LogBuilder replace(long start, long end, SurfacePayload payload) {
        EventSeqs.Builder hidden = EventSeqs.builder();
        boolean inside = false;
        for (long node : surface.nodeSeqs()) {
            inside |= node == start;
            if (inside) {
                hidden.add(node);
            }
            inside &= node != end;
        }
        return add(payload, SurfaceIntent.replace(start, end).citing(hidden.build()));
    }

    private long time() {
        return 1_000 + 10 * surface.nextSeq();
    }

    public LogBuilder user(String text) {
        return append(userMessage(text));
    }

    public LogBuilder turnStart(long number) {
        turn = number;
        return add(TurnStart.of(number));
    }

    public LogBuilder turnEnd() {
        return add(TurnEnd.of(turn, TurnEndReason.completed()));
    }

    public LogBuilder stepStart(long number) {
        step = number;
        return add(StepStart.of(turn, number));
    }

    public LogBuilder stepEnd() {
        return add(StepEnd.of(turn, step));
    }

    public LogBuilder chunk(StreamChunk chunk) {
        return add(AssistantChunk.of(turn, step, chunk));
    }

    public LogBuilder assistant(ContentBlock... content) {
        return append(assistantMessage(content));
    }

    /** An assistant message of the current turn and step. */
    public AssistantMessage assistantMessage(ContentBlock... content) {
        return AssistantMessage.of(
                turn,
                step,
                Message.of(
                        "m" + surface.nextSeq(),
                        Message.ASSISTANT,
                        MessageSource.model("acme", "m-1"),
                        List.of(content)));
    }

    public LogBuilder toolCall(String callId) {
        return add(ToolCall.of(turn, step, call(callId)));
    }

    public LogBuilder toolResult(String callId) {
        return append(result(callId));
    }

    /** A tool result of the current turn and step. */
    public ToolResult result(String callId) {
        return ToolResult.of(
                turn,
                step,
                Message.of(
                        "m" + surface.nextSeq(),
                        Message.USER,
                        MessageSource.tool(callId),
                        List.of(ToolResultBlock.of(callId, "done"))));
    }
}
