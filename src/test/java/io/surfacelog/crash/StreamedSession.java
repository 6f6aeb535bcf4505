package io.surfacelog.crash;

import io.surfacelog.command.CommandStack;
import io.surfacelog.command.Drafts;
import io.surfacelog.command.EventDraft;
import io.surfacelog.event.AssistantChunk;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnStart;
import io.surfacelog.store.EventRange;
import io.surfacelog.testing.LogBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * A session of turns with one step each, whose chunks are appended one by one, so that the commit of the message packs
 * them again. What a killed process left open is closed by recovery.
 */
final class StreamedSession {

    private final CommandStack stack;
    private final SessionId id;
    private final Random random;
    private long turn;

    StreamedSession(CommandStack stack, SessionId id, Random random) {
        this.stack = stack;
        this.id = id;
        this.random = random;
        Operations.acknowledge(stack.commands.recover(id));
        stack.store.forEach(id, EventRange.all(), event -> {
            if (event.type().equals(EventType.TURN_START)) {
                turn = ((TurnStart) event.payload()).turn();
            }
        });
    }

    SessionId id() {
        return id;
    }

    void turn(int chunks, boolean async) {
        turn++;
        List<EventDraft> events = events(chunks);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (EventDraft event : events) {
            if (async) {
                all.add(stack.commands.appendAllAsync(id, List.of(event)).thenAccept(Operations::acknowledge));
            } else {
                Operations.acknowledge(stack.commands.appendAll(id, List.of(event)));
            }
        }
        all.forEach(CompletableFuture::join);
        if (random.nextInt(4) == 0) {
            replaceAll();
        }
    }

    private List<EventDraft> events(int chunks) {
        LogBuilder log =
                LogBuilder.log().turnStart(turn).user("question " + turn).stepStart(1);
        for (int i = 0; i < chunks; i++) {
            log.add(AssistantChunk.of(turn, 1, StreamChunk.text(0, word())));
        }
        String call = "call-" + turn;
        log.assistant(LogBuilder.text("answer"), LogBuilder.call(call))
                .toolCall(call)
                .toolResult(call)
                .stepEnd()
                .turnEnd();
        return Drafts.of(log.events());
    }

    private String word() {
        return Integer.toString(random.nextInt(1 << 20), 36) + " ";
    }

    private void replaceAll() {
        long[] nodes = stack.queries.surface(id).nodeSeqs();
        long first = nodes[0];
        long last = nodes[nodes.length - 1];
        Operations.acknowledge(stack.commands.append(
                id,
                LogBuilder.userMessage("summary " + turn),
                SurfaceIntent.replace(first, last).citing(nodes)));
    }
}
