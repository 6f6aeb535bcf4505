package io.surfacelog.compaction;

import io.surfacelog.command.EventDraft;
import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.StepStart;
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
import java.util.ArrayList;
import java.util.List;

/** Talks in a session: each turn a question, two parallel tool calls with results of some length, and an answer. */
final class Conversation {

    private static final String WORDS = "The parcel was seen in Lyon on Monday and goes on to Paris by rail. ";

    private final SessionCommands commands;
    private final SessionId id;
    private final int words;
    private long turn;

    Conversation(SessionCommands commands, SessionId id) {
        this(commands, id, 4, 0);
    }

    /** @param words how many sentences each result has */
    Conversation(SessionCommands commands, SessionId id, int words, long turn) {
        this.commands = commands;
        this.id = id;
        this.words = words;
        this.turn = turn;
    }

    Conversation turns(int count) {
        for (int i = 0; i < count; i++) {
            turn();
        }
        return this;
    }

    /** One turn, with its two steps, in one commit. */
    Conversation turn() {
        turn++;
        List<EventDraft> drafts = new ArrayList<>();
        drafts.add(EventDraft.of(TurnStart.of(turn)));
        drafts.add(EventDraft.of(StepStart.of(turn, 1)));
        drafts.add(EventDraft.of(UserMessage.of("Where is parcel " + turn + "?"), SurfaceIntent.append()));
        ToolCallBlock find = ToolCallBlock.of("find", "find_order", "{\"order\":" + turn + "}");
        ToolCallBlock track = ToolCallBlock.of("track", "track_parcel", "{}");
        drafts.add(EventDraft.of(
                AssistantMessage.of(
                        turn, 1, Message.assistant("example", "helper-1", TextBlock.of("I will look."), find, track)),
                SurfaceIntent.append()));
        for (ToolCallBlock call : List.of(find, track)) {
            drafts.add(EventDraft.of(ToolCall.of(turn, 1, call)));
            drafts.add(EventDraft.of(
                    ToolResult.of(turn, 1, ToolResultBlock.of(call.id(), WORDS.repeat(words))),
                    SurfaceIntent.append()));
        }
        drafts.add(EventDraft.of(StepEnd.of(turn, 1)));
        drafts.add(EventDraft.of(StepStart.of(turn, 2)));
        drafts.add(EventDraft.of(
                AssistantMessage.of(
                        turn,
                        2,
                        Message.assistant("example", "helper-1", TextBlock.of("It is in Lyon, " + turn + "."))),
                SurfaceIntent.append()));
        drafts.add(EventDraft.of(StepEnd.of(turn, 2)));
        drafts.add(EventDraft.of(TurnEnd.of(turn, TurnEndReason.completed())));
        commands.appendAll(id, drafts);
        return this;
    }

    /** Begins a turn whose step asks for a tool that has not answered. */
    Conversation runningTool() {
        turn++;
        ToolCallBlock call = ToolCallBlock.of("slow", "slow_tool", "{}");
        commands.appendAll(
                id,
                List.of(
                        EventDraft.of(TurnStart.of(turn)),
                        EventDraft.of(StepStart.of(turn, 1)),
                        EventDraft.of(UserMessage.of("Take your time."), SurfaceIntent.append()),
                        EventDraft.of(
                                AssistantMessage.of(turn, 1, Message.assistant("example", "helper-1", call)),
                                SurfaceIntent.append()),
                        EventDraft.of(ToolCall.of(turn, 1, call))));
        return this;
    }

    /** The tool answers, and the turn ends. */
    Conversation answered() {
        commands.appendAll(
                id,
                List.of(
                        EventDraft.of(
                                ToolResult.of(turn, 1, ToolResultBlock.of("slow", "done")), SurfaceIntent.append()),
                        EventDraft.of(StepEnd.of(turn, 1)),
                        EventDraft.of(TurnEnd.of(turn, TurnEndReason.completed()))));
        return this;
    }
}
