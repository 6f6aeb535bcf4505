package io.surfacelog.testing;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.CompactionSummary;
import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Payload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnStart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How far a generated log has come; learnt from its events alone, so that others may add events too. */
final class SessionCourse {

    long nextSeq;
    long turn;
    boolean turnOpen;
    long step;
    boolean stepOpen;

    /** Chunks since the last assistant message of the open step. */
    final List<Long> chunks = new ArrayList<>();

    final Set<String> idsOfStep = new HashSet<>();
    final List<Waiting> waiting = new ArrayList<>();
    Optional<Compaction> compaction = Optional.empty();

    /** A call of the open step without a result. */
    record Waiting(ToolCallBlock call, boolean started) {}

    /** An open compaction; summary is -1 until there is one, and replaced says whether its message stands. */
    record Compaction(String id, long start, long summary, boolean replaced) {}

    void observe(SessionEvent event) {
        nextSeq = event.seq() + 1;
        Payload payload = event.payload();
        switch (event.type()) {
            case EventType.TURN_START -> {
                turn = ((TurnStart) payload).turn();
                turnOpen = true;
                leaveStep();
                step = 0;
            }
            case EventType.TURN_END -> {
                turnOpen = false;
                leaveStep();
            }
            case EventType.STEP_START -> {
                step = ((StepStart) payload).step();
                leaveStep();
                stepOpen = true;
            }
            case EventType.STEP_END -> leaveStep();
            case EventType.ASSISTANT_CHUNK -> chunks.add(event.seq());
            case EventType.ASSISTANT_MESSAGE -> observeAssistant(event, (AssistantMessage) payload);
            case EventType.TOOL_CALL -> observeStart(((ToolCall) payload).callId());
            case EventType.TOOL_RESULT -> {
                if (isAppend(event)) {
                    observeResult(((ToolResult) payload).callId());
                }
            }
            default -> observeCompaction(event, payload);
        }
    }

    private void leaveStep() {
        stepOpen = false;
        chunks.clear();
        idsOfStep.clear();
        waiting.clear();
    }

    private void observeAssistant(SessionEvent event, AssistantMessage message) {
        if (!isAppend(event)) {
            return;
        }
        chunks.clear();
        for (ToolCallBlock call : message.message().toolCalls()) {
            if (!call.id().isEmpty()) {
                idsOfStep.add(call.id());
                waiting.add(new Waiting(call, false));
            }
        }
    }

    private void observeStart(String callId) {
        for (int i = 0; i < waiting.size(); i++) {
            Waiting call = waiting.get(i);
            if (!call.started() && call.call().id().equals(callId)) {
                waiting.set(i, new Waiting(call.call(), true));
                return;
            }
        }
    }

    private void observeResult(String callId) {
        for (int i = 0; i < waiting.size(); i++) {
            if (waiting.get(i).call().id().equals(callId)) {
                waiting.remove(i);
                return;
            }
        }
    }

    private void observeCompaction(SessionEvent event, Payload payload) {
        if (payload instanceof CompactionStart start) {
            compaction = Optional.of(new Compaction(start.compactionId(), event.seq(), -1, false));
        } else if (payload instanceof CompactionSummary) {
            compaction = compaction.map(open -> new Compaction(open.id(), open.start(), event.seq(), false));
        } else if (payload instanceof CompactionEnd || event.type().equals(EventType.SESSION_END_SEED)) {
            compaction = Optional.empty();
        } else if (event.isSurface() && !isAppend(event) && event.data().value() instanceof JsonObject message) {
            boolean ofIt = message.object("source")
                    .flatMap(source -> source.string("compactionId"))
                    .isPresent();
            compaction = compaction.map(
                    open -> new Compaction(open.id(), open.start(), open.summary(), open.replaced() || ofIt));
        }
    }

    private static boolean isAppend(SessionEvent event) {
        return event.intent().orElseThrow().isAppend();
    }
}
