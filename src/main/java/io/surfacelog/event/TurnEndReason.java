package io.surfacelog.event;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a turn ended. Kinds beyond those named here are kept.
 *
 * @param json the reason, with a string {@code kind}
 */
public record TurnEndReason(JsonObject json) {

    /** The kinds the format names. */
    public static final String COMPLETED = "completed";

    public static final String ABORTED = "aborted";
    public static final String BLOCKED = "blocked";
    public static final String ERROR = "error";
    public static final String MAX_TOKENS = "max-tokens";
    public static final String INTERRUPTED = "interrupted";

    public TurnEndReason {
        Shape.text(json, "kind");
    }

    public static TurnEndReason completed() {
        return ofKind(COMPLETED);
    }

    public static TurnEndReason blocked() {
        return ofKind(BLOCKED);
    }

    public static TurnEndReason maxTokens() {
        return ofKind(MAX_TOKENS);
    }

    /** The process died or left the turn; written by recovery. */
    public static TurnEndReason interrupted() {
        return ofKind(INTERRUPTED);
    }

    /** Somebody stopped the turn: by {@code user}, {@code parent} or {@code disposed}. */
    public static TurnEndReason aborted(String by) {
        return abortedFor(JsonObject.builder().put("kind", by).build());
    }

    /** A hook stopped the turn and said why. */
    public static TurnEndReason abortedByHook(String reason) {
        return abortedFor(
                JsonObject.builder().put("kind", "hook").put("reason", reason).build());
    }

    /** The model call failed; status is the HTTP status where there was one. */
    public static TurnEndReason error(String message, String code, @Nullable Integer status) {
        JsonObject error = JsonObject.builder()
                .put("message", message)
                .put("code", code)
                .putIfPresent("status", status)
                .build();
        return new TurnEndReason(
                JsonObject.builder().put("kind", ERROR).put("error", error).build());
    }

    public static TurnEndReason ofKind(String kind) {
        return new TurnEndReason(JsonObject.builder().put("kind", kind).build());
    }

    private static TurnEndReason abortedFor(JsonObject reason) {
        return new TurnEndReason(
                JsonObject.builder().put("kind", ABORTED).put("reason", reason).build());
    }

    public String kind() {
        return Shape.text(json, "kind");
    }

    /** Who stopped an aborted turn. */
    public Optional<String> abortedBy() {
        return kind().equals(ABORTED)
                ? json.object("reason").flatMap(reason -> reason.string("kind"))
                : Optional.empty();
    }

    /** Message of the error that ended the turn. */
    public Optional<String> errorMessage() {
        return json.object("error").flatMap(error -> error.string("message"));
    }

    /** Code of the error that ended the turn. */
    public Optional<String> errorCode() {
        return json.object("error").flatMap(error -> error.string("code"));
    }
}
