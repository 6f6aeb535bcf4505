package io.surfacelog.testing;

import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionStart;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;

/**
 * Makes a long session as it is read: turns of sixty events, fifty of them chunks of two words each, drawn at random from
 * 20,000 made-up words of two to nine letters; random message ids; one tool call in each turn; every 200 turns all that is
 * on the surface is compacted into one message.
 */
public final class LongSession implements Iterator<SessionEvent> {

    private static final int TURNS_PER_COMPACTION = 200;
    private static final int CHUNKS = 50;

    private final SplittableRandom random = new SplittableRandom(60);
    private final String[] words = new String[20_000];
    private final long events;
    private final Deque<SessionEvent> made = new ArrayDeque<>();
    private final List<Long> nodes = new ArrayList<>();
    private long turn;
    private long next;
    private long time = 1_700_000_000_000L;
    private long taken;

    /** A session of so many events, the same ones every time. */
    public LongSession(long events) {
        this.events = events;
        for (int i = 0; i < words.length; i++) {
            StringBuilder word = new StringBuilder();
            for (int letters = 2 + random.nextInt(8); letters > 0; letters--) {
                word.append((char) ('a' + random.nextInt(26)));
            }
            words[i] = word.toString();
        }
    }

    @Override
    public boolean hasNext() {
        return taken < events;
    }

    @Override
    public SessionEvent next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        if (made.isEmpty()) {
            makeTurn();
        }
        taken++;
        return made.remove();
    }

    private void makeTurn() {
        turn++;
        add(TurnStart.of(turn));
        addNode(EventDraft.of(UserMessage.of(words(20)), SurfaceIntent.append()));
        add(StepStart.of(turn, 1));
        long firstChunk = next;
        StringBuilder answer = new StringBuilder();
        for (int i = 0; i < CHUNKS; i++) {
            String text = words(2) + " ";
            answer.append(text);
            add(AssistantChunk.of(turn, 1, StreamChunk.text(0, text)));
        }
        ToolCallBlock call = ToolCallBlock.of("call-" + turn, "find_parcel", "{\"text\":\"" + words(1) + "\"}");
        Message message = Message.assistant("provider", "model", TextBlock.of(answer.toString()), call);
        addNode(EventDraft.of(
                AssistantMessage.of(turn, 1, message),
                SurfaceIntent.append().citing(EventSeqs.range(firstChunk, next - 1))));
        long started = next;
        add(ToolCall.of(turn, 1, call));
        addNode(EventDraft.of(
                ToolResult.of(turn, 1, ToolResultBlock.of(call.id(), words(20))),
                SurfaceIntent.append().citing(started)));
        add(StepEnd.of(turn, 1));
        add(StepStart.of(turn, 2));
        add(StepEnd.of(turn, 2));
        add(TurnEnd.of(turn, TurnEndReason.completed()));
        if (turn % TURNS_PER_COMPACTION == 0) {
            compact();
        }
    }

    private void compact() {
        String id = "compaction-" + turn;
        long start = next;
        add(CompactionStart.of(id, null));
        EventSeqs.Builder cited = EventSeqs.builder().add(start);
        nodes.forEach(cited::add);
        SurfaceIntent whole = SurfaceIntent.replace(nodes.get(0), nodes.get(nodes.size() - 1));
        nodes.clear();
        addNode(EventDraft.of(UserMessage.of(words(100)), whole.citing(cited.build())));
        add(CompactionEnd.of(id, null, null));
    }

    private String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(words[random.nextInt(words.length)]);
        }
        return text.toString();
    }

    private void addNode(EventDraft draft) {
        nodes.add(next);
        add(draft);
    }

    private void add(LogOnlyPayload payload) {
        add(EventDraft.of(payload));
    }

    private void add(EventDraft draft) {
        time += 20 + random.nextInt(30);
        made.add(draft.toEvent(next++, time));
    }
}
