package io.surfacelog.surface;

import io.surfacelog.event.EventPlace;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What recovery must know of a log: the open turn and step, the calls that wait for a result, and where the stream of
 * the open step's last attempt begins. Immutable; folding an event costs O(1), or O(waiting calls) for one that concerns
 * them.
 *
 * @param turn number of the open turn, 0 for none
 * @param step number of the open step, 0 for none
 * @param stepTurn turn of the open step as its step/start says
 * @param pending calls that wait for a result, in order
 * @param firstChunk the first chunk of the last attempt of the open step, -1 for none
 */
record TurnState(long turn, long step, long stepTurn, List<PendingCall> pending, long firstChunk) {

    static final TurnState NONE = new TurnState(0, 0, 0, List.of(), -1);

    /**
     * A call without a result.
     *
     * @param key the call
     * @param message the assistant message that asks for it
     * @param startedBy its tool/call, -1 while it has none
     */
    record PendingCall(CallKey key, long message, long startedBy) {}

    boolean turnOpen() {
        return turn > 0;
    }

    boolean stepOpen() {
        return step > 0;
    }

    /** Whether an event ends the attempt before it, so that no earlier chunk is the first of the open step's last attempt. */
    static boolean endsAttempt(SessionEvent event) {
        return switch (event.type()) {
            case EventType.TURN_START,
                    EventType.TURN_END,
                    EventType.STEP_START,
                    EventType.STEP_END,
                    EventType.LLM_RETRY -> true;
            case EventType.ASSISTANT_MESSAGE -> event.intent().orElseThrow().isAppend();
            default -> false;
        };
    }

    TurnState after(SessionEvent event) {
        return switch (event.type()) {
            case EventType.ASSISTANT_CHUNK -> afterChunk(event);
            case EventType.TURN_START -> new TurnState(event.place().turn(), 0, 0, List.of(), -1);
            case EventType.TURN_END -> NONE;
            case EventType.STEP_START ->
                new TurnState(turn, event.place().step(), event.place().turn(), pending, -1);
            case EventType.STEP_END -> new TurnState(turn, 0, 0, List.of(), -1);
            case EventType.ASSISTANT_MESSAGE -> afterAssistantMessage(event);
            case EventType.TOOL_CALL -> afterToolCall(event);
            case EventType.TOOL_RESULT -> afterToolResult(event);
            case EventType.LLM_RETRY -> attemptEnded();
            default -> this;
        };
    }

    private TurnState afterChunk(SessionEvent event) {
        EventPlace place = event.place();
        if (!stepOpen() || place.step() != step || place.turn() != stepTurn) {
            return this;
        }
        if (place.finish()) {
            return attemptEnded();
        }
        return firstChunk >= 0 ? this : new TurnState(turn, step, stepTurn, pending, event.seq());
    }

    private TurnState attemptEnded() {
        return firstChunk < 0 ? this : new TurnState(turn, step, stepTurn, pending, -1);
    }

    private TurnState afterAssistantMessage(SessionEvent event) {
        boolean appended = event.intent().orElseThrow().isAppend();
        if (!appended) {
            return this;
        }
        TurnState state = attemptEnded();
        List<CallKey> calls = CallKey.calls(event);
        if (calls.isEmpty()) {
            return state;
        }
        List<PendingCall> more = new ArrayList<>(pending);
        for (CallKey call : calls) {
            if (!call.callId().isEmpty()) {
                more.add(new PendingCall(call, event.seq(), -1));
            }
        }
        return state.withPending(more);
    }

    private TurnState afterToolCall(SessionEvent event) {
        String callId = CallKey.started(event).callId();
        for (int i = 0; i < pending.size(); i++) {
            PendingCall call = pending.get(i);
            if (call.startedBy() < 0 && call.key().callId().equals(callId)) {
                List<PendingCall> changed = new ArrayList<>(pending);
                changed.set(i, new PendingCall(call.key(), call.message(), event.seq()));
                return withPending(changed);
            }
        }
        return this;
    }

    /**
     * A result answers the first call of its id. A rewritten one must be of the same step as well: ids come back in
     * later turns, and shortening an old result must not pass for the answer to a call that waits now.
     */
    private TurnState afterToolResult(SessionEvent event) {
        CallKey answered = CallKey.answered(event);
        boolean appended = event.intent().orElseThrow().isAppend();
        for (int i = 0; i < pending.size(); i++) {
            CallKey call = pending.get(i).key();
            if (appended ? call.callId().equals(answered.callId()) : call.equals(answered)) {
                List<PendingCall> left = new ArrayList<>(pending);
                left.remove(i);
                return withPending(left);
            }
        }
        return this;
    }

    private TurnState withPending(List<PendingCall> calls) {
        return new TurnState(turn, step, stepTurn, Collections.unmodifiableList(calls), firstChunk);
    }
}
