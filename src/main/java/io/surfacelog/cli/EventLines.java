package io.surfacelog.cli;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Message;
import io.surfacelog.event.Payload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.SurfaceOp;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The events of one session as somebody wants to read them who follows it: folded to a line each, and none for what only
 * says how the log is built. Remembers the names of the calls whose results are to come. For one thread at a time.
 */
final class EventLines {

    /**
     * One line.
     *
     * @param text what it says; neither cut nor made visible
     */
    record Line(String text, Ink ink) {}

    private final Map<String, String> calls = new HashMap<>();

    /** The line of an event; empty for what is not worth one. */
    Optional<Line> of(SessionEvent event) {
        Payload payload = event.payload();
        if (event.intent().isPresent() && event.intent().get().op() instanceof SurfaceOp.Replace replace) {
            return line(
                    "◆ event " + event.seq() + " takes the place of " + replace.start() + "…" + replace.end() + ": "
                            + Preview.of(event),
                    Ink.ACCENT);
        }
        if (payload instanceof SurfacePayload surface) {
            return ofMessage(event, surface);
        }
        if (payload instanceof ToolCall call) {
            calls.put(call.callId(), call.name());
            return line("⚙ " + Preview.of(event), Ink.PLAIN);
        }
        if (payload instanceof TurnEnd end) {
            calls.clear();
            return ofEnd(end);
        }
        return switch (event.type()) {
            case EventType.LLM_RETRY -> line("(" + Preview.of(event) + ")", Ink.FAINT);
            case EventType.TODO_WRITE -> line("todo  " + Preview.of(event), Ink.FAINT);
            case EventType.COMPACTION_START -> line("compacts", Ink.FAINT);
            case EventType.COMPACTION_SUMMARY, EventType.COMPACTION_PRUNE, EventType.COMPACTION_END ->
                line(Preview.of(event), Ink.FAINT);
            default -> Optional.empty();
        };
    }

    private Optional<Line> ofMessage(SessionEvent event, SurfacePayload surface) {
        if (surface instanceof ToolResult result) {
            return ofResult(event, result);
        }
        if (surface instanceof AssistantMessage said) {
            for (ToolCallBlock call : said.message().toolCalls()) {
                calls.put(call.id(), call.name());
            }
            String text = said.message().text();
            return text.isBlank() ? Optional.empty() : line(text.strip(), Ink.PLAIN);
        }
        if (surface instanceof ContextMessage) {
            return line("(context) " + Preview.of(event), Ink.FAINT);
        }
        return line(mark(surface) + Preview.of(event), Ink.STRONG);
    }

    /** Stands before what was not said by the model. */
    static String mark(SurfacePayload surface) {
        Message message = surface.message();
        if (surface instanceof SteeringMessage) {
            return "! ";
        }
        return message.source().kind().equals("user") ? "> " : "> (" + Preview.speaker(message) + ") ";
    }

    private Optional<Line> ofResult(SessionEvent event, ToolResult result) {
        String name = calls.getOrDefault(result.callId(), result.callId());
        // the preview of an error begins with its own mark
        String says = Preview.of(event);
        return line("  ↳ " + name + ": " + says, Ink.PLAIN);
    }

    private static Optional<Line> ofEnd(TurnEnd end) {
        TurnEndReason reason = end.reason();
        String turn = "turn " + end.turn();
        return switch (reason.kind()) {
            case TurnEndReason.COMPLETED -> Optional.empty();
            case TurnEndReason.ABORTED ->
                line(
                        "(" + turn + " aborted"
                                + reason.abortedBy().map(by -> " by " + by).orElse("") + ")",
                        Ink.ACCENT);
            case TurnEndReason.ERROR ->
                line(
                        "(" + turn + " failed"
                                + reason.errorCode()
                                        .map(code -> " with " + code)
                                        .orElse("")
                                + reason.errorMessage().map(why -> ": " + why).orElse("") + ")",
                        Ink.ACCENT);
            case TurnEndReason.INTERRUPTED ->
                line("(" + turn + " interrupted: its process ended in the middle of it)", Ink.ACCENT);
            case TurnEndReason.BLOCKED -> line("(" + turn + " blocked)", Ink.ACCENT);
            case TurnEndReason.MAX_TOKENS ->
                line("(" + turn + " ended: the answer may have no more tokens)", Ink.ACCENT);
            default -> line("(" + turn + " ended: " + reason.kind() + ")", Ink.ACCENT);
        };
    }

    private static Optional<Line> line(String text, Ink ink) {
        return Optional.of(new Line(text, ink));
    }
}
