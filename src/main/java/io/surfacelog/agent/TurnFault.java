package io.surfacelog.agent;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.model.ModelException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A failure as the log keeps it.
 *
 * @param json the {@code message} with all causes, the {@code code}, and what a provider said besides
 */
record TurnFault(JsonObject json) {

    /** The code of what no model is to blame for. */
    static final String UNEXPECTED = "UNEXPECTED";

    /** It goes into events that have to be taken, whatever a provider or a tool has to say. */
    private static final int LONGEST = 16_384;

    static TurnFault of(Throwable error) {
        JsonObject.Builder fault = JsonObject.builder().put("message", chain(error));
        if (!(error instanceof ModelException model)) {
            return new TurnFault(fault.put("code", UNEXPECTED).build());
        }
        fault.put("code", cut(model.code()));
        model.status().ifPresent(status -> fault.put("status", status));
        model.retryAfter().ifPresent(wait -> fault.put("providerRetryAfterMs", TimeUnit.MILLISECONDS.convert(wait)));
        model.requestId().ifPresent(id -> fault.put("requestId", cut(id)));
        return new TurnFault(fault.build());
    }

    TurnEndReason reason() {
        return new TurnEndReason(JsonObject.builder()
                .put("kind", TurnEndReason.ERROR)
                .put("error", json)
                .build());
    }

    /** Its message and those of all its causes, cut where that is too long. Never fails, whatever they are. */
    static String chain(Throwable error) {
        StringBuilder text = new StringBuilder(error instanceof ModelException ? message(error) : named(error));
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.add(error);
        for (Throwable cause = cause(error); cause != null && seen.add(cause); cause = cause(cause)) {
            if (text.length() > LONGEST) {
                break;
            }
            text.append("; caused by ").append(named(cause));
        }
        return cut(text.toString());
    }

    private static String named(Throwable error) {
        String message = message(error);
        String name = error.getClass().getSimpleName();
        return message.isEmpty() ? name : name + ": " + message;
    }

    private static String message(Throwable error) {
        try {
            @Nullable String message = error.getMessage();
            return message == null ? "" : cut(message);
        } catch (Throwable e) {
            return "(its message cannot be read: " + e.getClass().getSimpleName() + ")";
        }
    }

    private static @Nullable Throwable cause(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable e) {
            return e;
        }
    }

    private static String cut(String text) {
        return CutToFit.text(text, LONGEST);
    }
}
