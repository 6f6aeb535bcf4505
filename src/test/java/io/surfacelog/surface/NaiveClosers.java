package io.surfacelog.surface;

import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.EventType;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StepStart;
import io.surfacelog.event.ToolCall;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.TurnStart;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The closers without the two extra switches, found by looking at the log's tail; what the real ones must equal. */
final class NaiveClosers {

    /** One closer, short: callId is empty where it is no result, startedBy -1 where the call was not started. */
    record Closer(String type, long turn, long step, String callId, long startedBy) {

        static Closer of(SessionEvent event) {
            if (event.payload() instanceof ToolResult result) {
                long startedBy =
                        event.intent().orElseThrow().sourcesOrNone().max().orElse(-1);
                return new Closer(
                        event.type(), number(result.turn()), number(result.step()), result.callId(), startedBy);
            }
            return new Closer(event.type(), event.place().turn(), event.place().step(), "", -1);
        }
    }

    private NaiveClosers() {}

    static List<Closer> of(List<SessionEvent> log) {
        int turn = last(log, EventType.TURN_START, EventType.TURN_END);
        if (turn < 0 || log.get(turn).type().equals(EventType.TURN_END)) {
            return List.of();
        }
        long openTurn = ((TurnStart) log.get(turn).payload()).turn();
        int clear = last(log, EventType.TURN_START, EventType.TURN_END, EventType.STEP_END);
        List<Closer> closers = new ArrayList<>(pending(log.subList(clear + 1, log.size())));
        int step = last(log, EventType.STEP_START, EventType.STEP_END, EventType.TURN_START);
        if (log.get(step).payload() instanceof StepStart open) {
            closers.add(new Closer(EventType.STEP_END, openTurn, open.step(), "", -1));
        }
        closers.add(new Closer(EventType.TURN_END, openTurn, 0, "", -1));
        return closers;
    }

    private static List<Closer> pending(List<SessionEvent> tail) {
        List<Closer> calls = new ArrayList<>();
        for (SessionEvent event : tail) {
            if (event.payload() instanceof AssistantMessage message
                    && event.intent().orElseThrow().isAppend()) {
                message.message().toolCalls().stream()
                        .filter(call -> !call.id().isEmpty())
                        .forEach(call -> calls.add(new Closer(
                                EventType.TOOL_RESULT, number(message.turn()), number(message.step()), call.id(), -1)));
            } else if (event.payload() instanceof ToolCall started) {
                calls.stream()
                        .filter(call -> call.startedBy() < 0 && call.callId().equals(started.callId()))
                        .findFirst()
                        .ifPresent(call -> calls.set(
                                calls.indexOf(call),
                                new Closer(call.type(), call.turn(), call.step(), call.callId(), event.seq())));
            } else if (event.payload() instanceof ToolResult result) {
                boolean appended = event.intent().orElseThrow().isAppend();
                calls.stream()
                        .filter(call -> call.callId().equals(result.callId()))
                        .filter(call -> appended
                                || (call.turn() == number(result.turn()) && call.step() == number(result.step())))
                        .findFirst()
                        .ifPresent(calls::remove);
            }
        }
        return calls;
    }

    private static int last(List<SessionEvent> log, String... types) {
        for (int i = log.size() - 1; i >= 0; i--) {
            if (List.of(types).contains(log.get(i).type())) {
                return i;
            }
        }
        return -1;
    }

    private static long number(OptionalLong recorded) {
        return recorded.orElse(0);
    }
}
