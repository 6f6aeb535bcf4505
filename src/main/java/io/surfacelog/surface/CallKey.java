package io.surfacelog.surface;

import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Names a tool call within its step: calls pair by turn, step and id, since an id may come back in a later turn. Turn
 * and step are 0 where they were not recorded.
 *
 * @param turn the turn of the assistant message, or of the result
 * @param step the step of that turn
 * @param callId the id that the model gave the call; may be empty
 */
public record CallKey(long turn, long step, String callId) {

    /** The calls that the tool-call blocks of an assistant message ask for, in order; none for any other event. */
    public static List<CallKey> calls(SessionEvent event) {
        if (!event.type().equals(EventType.ASSISTANT_MESSAGE)) {
            return List.of();
        }
        JsonObject data = (JsonObject) event.data().value();
        if (!(message(data).get("content") instanceof JsonArray content) || content.size() == 0) {
            return List.of();
        }
        List<CallKey> calls = null;
        for (Json item : content.items()) {
            if (item instanceof JsonObject block
                    && block.get("type") instanceof JsonString type
                    && type.value().equals("tool-call")
                    && block.get("id") instanceof JsonString id) {
                calls = calls == null ? new ArrayList<>(content.size()) : calls;
                calls.add(of(event, id.value()));
            }
        }
        return calls == null ? List.of() : calls;
    }

    /** The call that a tool/result event answers. */
    public static CallKey answered(SessionEvent toolResult) {
        JsonObject data = (JsonObject) toolResult.data().value();
        return of(
                toolResult,
                message(data)
                        .object("source")
                        .flatMap(source -> source.string("callId"))
                        .orElse(""));
    }

    /** The call that a tool/call starts. */
    static CallKey started(SessionEvent toolCall) {
        JsonObject data = (JsonObject) toolCall.data().value();
        return of(toolCall, data.string("callId").orElse(""));
    }

    private static CallKey of(SessionEvent event, String callId) {
        return new CallKey(event.place().turn(), event.place().step(), callId);
    }

    private static JsonObject message(JsonObject data) {
        return data.get("message") instanceof JsonObject message ? message : JsonObject.EMPTY;
    }
}
