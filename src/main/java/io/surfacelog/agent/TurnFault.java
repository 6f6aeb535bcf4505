package io.surfacelog.agent;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.model.ModelException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A failure as the log keeps it.
 *
 * @param json the {@code message} with all causes, the {@code code}, and what a provider said besides
 */
record TurnFault(JsonObject json) {

    /** The code of what no model is to blame for. */
    static final String UNEXPECTED = "UNEXPECTED";

    static TurnFault of(Throwable error) {
        JsonObject.Builder fault = JsonObject.builder().put("message", chain(error));
        if (!(error instanceof ModelException model)) {
            return new TurnFault(fault.put("code", UNEXPECTED).build());
        }
        fault.put("code", model.code());
        model.status().ifPresent(status -> fault.put("status", status));
        model.retryAfter().ifPresent(wait -> fault.put("providerRetryAfterMs", wait.toMillis()));
        model.requestId().ifPresent(id -> fault.put("requestId", id));
        return new TurnFault(fault.build());
    }

    TurnEndReason reason() {
        return new TurnEndReason(JsonObject.builder()
                .put("kind", TurnEndReason.ERROR)
                .put("error", json)
                .build());
    }

    /** Its message and those of all its causes. */
    static String chain(Throwable error) {
        StringBuilder text = new StringBuilder(error instanceof ModelException ? message(error) : named(error));
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.add(error);
        for (Throwable cause = error.getCause(); cause != null && seen.add(cause); cause = cause.getCause()) {
            text.append("; caused by ").append(named(cause));
        }
        return text.toString();
    }

    private static String named(Throwable error) {
        String message = error.getMessage();
        String name = error.getClass().getSimpleName();
        return message == null || message.isEmpty() ? name : name + ": " + message;
    }

    private static String message(Throwable error) {
        @Nullable String message = error.getMessage();
        return message == null ? "" : message;
    }
}
