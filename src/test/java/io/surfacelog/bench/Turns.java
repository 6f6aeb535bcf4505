package io.surfacelog.bench;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
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
import java.util.SplittableRandom;

/** Makes the turns that the benchmarks append and fold. */
final class Turns {

    private static final String TEXT =
            "The parcel left the depot this morning and is on its way to the address given. ";

    private Turns() {}

    /** A turn of eight events with one tool call, most of them about 400 bytes; next is the seq of its first event. */
    static List<EventDraft> eight(long turn, long next) {
        ToolCallBlock call = ToolCallBlock.of("call-" + turn, "find_parcel", "{\"text\":\"" + TEXT.repeat(2) + "\"}");
        return List.of(
                EventDraft.of(TurnStart.of(turn)),
                EventDraft.of(UserMessage.of(TEXT.repeat(3)), SurfaceIntent.append()),
                EventDraft.of(StepStart.of(turn, 1)),
                EventDraft.of(
                        AssistantMessage.of(
                                turn, 1, Message.assistant("provider", "model", TextBlock.of(TEXT.repeat(2)), call)),
                        SurfaceIntent.append().citing(EventSeqs.NONE)),
                EventDraft.of(ToolCall.of(turn, 1, call)),
                EventDraft.of(
                        ToolResult.of(turn, 1, ToolResultBlock.of(call.id(), TEXT.repeat(3))),
                        SurfaceIntent.append().citing(next + 4)),
                EventDraft.of(StepEnd.of(turn, 1)),
                EventDraft.of(TurnEnd.of(turn, TurnEndReason.completed())));
    }

    /** A log of so many turns of sixty events each, fifty of them chunks. */
    static List<SessionEvent> sixty(int turns) {
        SplittableRandom random = new SplittableRandom(60);
        List<SessionEvent> log = new ArrayList<>(turns * 60);
        for (int turn = 1; turn <= turns; turn++) {
            add(log, TurnStart.of(turn));
            add(log, EventDraft.of(UserMessage.of(TEXT), SurfaceIntent.append()));
            add(log, StepStart.of(turn, 1));
            long firstChunk = log.size();
            for (int chunk = 0; chunk < 50; chunk++) {
                add(log, AssistantChunk.of(turn, 1, StreamChunk.text(0, "word" + random.nextInt(20_000) + " ")));
            }
            ToolCallBlock call = ToolCallBlock.of("call-" + turn, "find_parcel", "{}");
            Message message = Message.assistant("provider", "model", TextBlock.of(TEXT), call);
            add(
                    log,
                    EventDraft.of(
                            AssistantMessage.of(turn, 1, message),
                            SurfaceIntent.append().citing(EventSeqs.range(firstChunk, log.size() - 1))));
            long toolCall = log.size();
            add(log, ToolCall.of(turn, 1, call));
            add(
                    log,
                    EventDraft.of(
                            ToolResult.of(turn, 1, ToolResultBlock.of(call.id(), TEXT)),
                            SurfaceIntent.append().citing(toolCall)));
            add(log, StepEnd.of(turn, 1));
            add(log, StepStart.of(turn, 2));
            add(log, StepEnd.of(turn, 2));
            add(log, TurnEnd.of(turn, TurnEndReason.completed()));
        }
        return log;
    }

    private static void add(List<SessionEvent> log, LogOnlyPayload payload) {
        add(log, EventDraft.of(payload));
    }

    private static void add(List<SessionEvent> log, EventDraft draft) {
        log.add(draft.toEvent(log.size(), 1_700_000_000_000L + log.size()));
    }

    /** The surface of a log, folded turn by turn. */
    static Surface surface(List<SessionEvent> log) {
        Surface surface = Surface.empty();
        for (int from = 0; from < log.size(); from += 60) {
            surface = surface.plan(log.subList(from, Math.min(log.size(), from + 60)))
                    .after();
        }
        return surface;
    }
}
