package io.surfacelog.surface;

import io.surfacelog.event.EventType;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonBoolean;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonText;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.Payload;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.StepEnd;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.TurnEnd;
import io.surfacelog.event.TurnEndReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The synthetic events that balance a log after a crash: a pure function of the log (format, section 6). Appending them
 * and asking again gives none.
 *
 * <pre>{@code
 * List<SessionEvent> closers = Closers.of(surface, LogReader.of(log), RecoverySettings.defaults());
 * Surface recovered = surface.plan(closers).after();
 * }</pre>
 */
public final class Closers {

    static final String OUTCOME_UNKNOWN = "TOOL_OUTCOME_UNKNOWN";
    static final String NOT_STARTED = "TOOL_NOT_STARTED";

    private static final String OUTCOME_UNKNOWN_TEXT =
            "The process was interrupted while this tool was running. Its outcome is unknown: it may have taken effect in"
                    + " full, in part or not at all. Check the state before you run it again; a retry is not known to be"
                    + " safe.";
    private static final String NOT_STARTED_TEXT =
            "The process was interrupted before this tool was started. It has had no effect; a retry is safe.";

    private final Surface surface;
    private final List<SessionEvent> closers = new ArrayList<>();

    private Closers(Surface surface) {
        this.surface = surface;
    }

    /**
     * The closers of the log that this surface is the fold of; none if it is balanced. Cost: O(surface); with calls
     * that look unanswered O(log without chunks); with streamed text to salvage O(chunks of the open step).
     */
    public static List<SessionEvent> of(Surface surface, LogReader log, RecoverySettings settings) {
        return new Closers(surface).collect(log, settings);
    }

    private List<SessionEvent> collect(LogReader log, RecoverySettings settings) {
        if (settings.answerOrphanedCalls()) {
            OrphanedCalls.of(surface, log).forEach(this::answer);
        }
        TurnState turns = surface.turns();
        if (!turns.turnOpen()) {
            return List.copyOf(closers);
        }
        if (settings.salvageStreamedText() && turns.stepOpen() && turns.firstChunk() >= 0) {
            salvage(turns, log);
        }
        for (TurnState.PendingCall call : turns.pending()) {
            answer(new OpenCall(call.key(), call.startedBy()));
        }
        if (turns.stepOpen()) {
            add(StepEnd.of(turns.turn(), turns.step()), null);
        }
        add(TurnEnd.of(turns.turn(), TurnEndReason.interrupted()), null);
        return List.copyOf(closers);
    }

    private void answer(OpenCall call) {
        boolean started = call.startedBy() >= 0;
        String callId = call.key().callId();
        String text = started ? OUTCOME_UNKNOWN_TEXT : NOT_STARTED_TEXT;
        JsonObject message = JsonObject.builder()
                .put("id", "interrupted-tool-result-" + callId + "-" + nextSeq())
                .put("role", "user")
                .put("source", MessageSource.tool(callId).json())
                .put(
                        "content",
                        JsonArray.of(List.of(ToolResultBlock.error(callId, text).json())))
                .build();
        JsonObject.Builder data = JsonObject.builder();
        putPlace(data, call.key());
        data.put("message", message)
                .put(
                        "error",
                        JsonObject.builder()
                                .put("name", started ? "ToolOutcomeUnknownError" : "ToolNotStartedError")
                                .put("code", started ? OUTCOME_UNKNOWN : NOT_STARTED)
                                .build());
        SurfaceIntent intent = SurfaceIntent.append();
        add(EventType.TOOL_RESULT, data.build(), started ? intent.citing(call.startedBy()) : intent);
    }

    /** Turn and step as the call's message has them, so that call and result pair; none where it recorded none. */
    private static void putPlace(JsonObject.Builder data, CallKey key) {
        if (key.turn() != 0) {
            data.put("turn", key.turn());
        }
        if (key.step() != 0) {
            data.put("step", key.step());
        }
    }

    private void salvage(TurnState turns, LogReader log) {
        StreamedText streamed = new StreamedText(turns.stepTurn(), turns.step());
        log.forEach(turns.firstChunk(), surface.nextSeq(), streamed::add);
        if (!streamed.isVisible()) {
            return;
        }
        String provider =
                surface.requestHeader().map(header -> header.provider()).orElse("unknown");
        String model = surface.requestHeader().map(header -> header.model()).orElse("unknown");
        JsonObject message = JsonObject.builder()
                .put("id", "interrupted-assistant-message-" + nextSeq())
                .put("role", "assistant")
                .put("source", MessageSource.model(provider, model).json())
                .put("content", streamed.blocks())
                .build();
        JsonObject data = JsonObject.builder()
                .put("turn", turns.stepTurn())
                .put("step", turns.step())
                .put("message", message)
                .put("interrupted", JsonBoolean.TRUE)
                .build();
        add(EventType.ASSISTANT_MESSAGE, data, SurfaceIntent.append().citing(streamed.used()));
    }

    private long nextSeq() {
        return surface.nextSeq() + closers.size();
    }

    private void add(Payload payload, @Nullable SurfaceIntent intent) {
        add(payload.type(), (JsonObject) payload.json(), intent);
    }

    private void add(String type, JsonObject data, @Nullable SurfaceIntent intent) {
        closers.add(SessionEvent.of(nextSeq(), surface.lastTime(), type, JsonText.of(data), intent, false));
    }

    /**
     * A call to be answered.
     *
     * @param key the call
     * @param startedBy its tool/call, -1 if it has none
     */
    record OpenCall(CallKey key, long startedBy) {}
}
