package io.surfacelog.model;

import io.surfacelog.event.SurfacelogException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A model could not be asked, or broke off. Says what a retry policy and the log want to know. */
public final class ModelException extends SurfacelogException {

    private static final long serialVersionUID = 1L;

    /** What went wrong, as far as it matters to whoever asked. */
    public enum Kind {
        /** It may go well the next time: overload, rate limit, a broken connection, an answer that is no stream. */
        TRANSIENT,
        /** The conversation is longer than the model takes. */
        CONTEXT_OVERFLOW,
        /** Asking again with the same request fails again. */
        PERMANENT
    }

    private final Kind kind;
    private final String code;
    private final @Nullable Integer status;
    private final @Nullable Duration retryAfter;
    private final @Nullable String requestId;

    /**
     * @param code a stable word for the fault, as {@code RATE_LIMITED}
     * @param status the HTTP status, null if there was none
     * @param retryAfter how long the provider asks to wait, null if it does not
     * @param requestId the provider's id of the request, null if there is none
     */
    public ModelException(
            Kind kind,
            String code,
            String message,
            @Nullable Integer status,
            @Nullable Duration retryAfter,
            @Nullable String requestId,
            @Nullable Throwable cause) {
        super(message);
        if (cause != null) {
            initCause(cause);
        }
        this.kind = Objects.requireNonNull(kind, "kind");
        this.code = Objects.requireNonNull(code, "code");
        this.status = status;
        this.retryAfter = retryAfter;
        this.requestId = requestId;
    }

    public static ModelException of(Kind kind, String code, String message) {
        return new ModelException(kind, code, message, null, null, null, null);
    }

    public Kind kind() {
        return kind;
    }

    public String code() {
        return code;
    }

    public OptionalInt status() {
        return status == null ? OptionalInt.empty() : OptionalInt.of(status);
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    public Optional<String> requestId() {
        return Optional.ofNullable(requestId);
    }
}
