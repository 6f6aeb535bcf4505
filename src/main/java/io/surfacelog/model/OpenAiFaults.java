package io.surfacelog.model;

import com.openai.core.http.Headers;
import com.openai.errors.OpenAIException;
import com.openai.errors.OpenAIServiceException;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.model.ModelException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Faults of one attempt in the words of the port. Takes the key out of whatever it passes on. */
final class OpenAiFaults {

    private static final int QUOTED = 500;
    private static final Pattern OVERFLOW = Pattern.compile(
            "context_length_exceeded|exceed_context_size|context_window_exceeded|context length|context window"
                    + "|context size|(prompt|input) is too long|too many input tokens|reduce the length of the messages");

    /** What is shorter is no secret but a stand-in for servers that want none, and part of ordinary words. */
    private static final int SHORTEST_SECRET = 8;

    private final OpenAiSettings settings;
    private final Optional<String> key;
    private final Clock clock;
    private @Nullable String requestId;

    OpenAiFaults(OpenAiSettings settings, Optional<String> key, Clock clock) {
        this.settings = settings;
        this.key = key.filter(secret -> secret.length() >= SHORTEST_SECRET);
        this.clock = clock;
    }

    /** The endpoint answered, and this is its id of the request, if it gave one. */
    void answered(Headers headers) {
        requestId = first(headers, "x-request-id")
                .or(() -> first(headers, "request-id"))
                .orElse(null);
    }

    /** What was thrown while asking or reading; the body is what came with a status of failure. */
    ModelException thrown(Throwable fault, String errorBody) {
        if (fault instanceof OpenAIServiceException refused) {
            answered(refused.headers());
            return status(refused.statusCode(), errorBody, retryAfter(refused.headers()), refused);
        }
        Throwable cause = fault instanceof OpenAIException && fault.getCause() != null ? fault.getCause() : fault;
        if (cause instanceof InterruptedIOException) {
            return of(
                    Kind.TRANSIENT,
                    "TIMEOUT",
                    "was silent for longer than " + settings.idleTimeout() + ", not to be reached within "
                            + settings.connectTimeout() + " or not done within " + settings.callTimeout() + " ("
                            + cause.getMessage() + ")",
                    cause);
        }
        if (cause instanceof OpenAiGarbageException) {
            return of(Kind.TRANSIENT, "BAD_STREAM", "sent " + cause.getMessage(), cause);
        }
        if (cause instanceof IOException) {
            return of(Kind.TRANSIENT, "CONNECTION_FAILED", "could not be reached, or broke off: " + cause, cause);
        }
        return of(Kind.PERMANENT, "REQUEST_FAILED", "could not be asked: " + cause, cause);
    }

    /** An event that is no JSON object. */
    ModelException garbage(String data) {
        return of(
                Kind.TRANSIENT,
                "BAD_STREAM",
                "expected events that are JSON objects, found \"" + quoted(data) + "\"",
                null);
    }

    /** An answer with a good status that is no stream. */
    ModelException noStream(String found) {
        return of(
                Kind.TRANSIENT,
                "NOT_A_STREAM",
                "expected a stream of events, found "
                        + (found.isEmpty() ? "nothing" : "\"" + quoted(found) + "\"")
                        + "; check that the base URL is that of the API",
                null);
    }

    /** Where the provider stopped for a reason of its own. */
    ModelException stopped(String reason) {
        return of(Kind.TRANSIENT, "SERVER_ERROR", "stopped in the middle of its answer: " + quoted(reason), null);
    }

    /** A failure that came in the stream, or as JSON with a good status. */
    ModelException told(JsonObject event) {
        JsonObject error = error(event).orElse(event);
        int status = status(error.get("code"));
        if (status != 0) {
            return status(status, event.toText(), null, null);
        }
        String words = error.toText().toLowerCase(Locale.ROOT);
        if (OVERFLOW.matcher(words).find()) {
            return refused(Kind.CONTEXT_OVERFLOW, "CONTEXT_OVERFLOW", 200, event.toText(), null, null);
        }
        if (words.contains("insufficient_quota")) {
            return refused(Kind.PERMANENT, "QUOTA_EXHAUSTED", 200, event.toText(), null, null);
        }
        if (words.contains("invalid_request_error") || words.contains("authentication_error")) {
            return refused(Kind.PERMANENT, "INVALID_REQUEST", 200, event.toText(), null, null);
        }
        boolean limited = words.contains("rate_limit");
        return refused(Kind.TRANSIENT, limited ? "RATE_LIMITED" : "SERVER_ERROR", 200, event.toText(), null, null);
    }

    /** Whether an event tells of a failure. */
    static boolean isFailure(JsonObject event) {
        return event.object("error").isPresent()
                || event.string("error").isPresent()
                || event.string("object").filter("error"::equals).isPresent();
    }

    private ModelException status(
            int status, String body, @Nullable Duration retryAfter, @Nullable OpenAIServiceException cause) {
        boolean overflow = OVERFLOW.matcher(body.toLowerCase(Locale.ROOT)).find();
        return switch (status) {
            case 400, 422 ->
                overflow
                        ? refused(Kind.CONTEXT_OVERFLOW, "CONTEXT_OVERFLOW", status, body, null, cause)
                        : refused(Kind.PERMANENT, "INVALID_REQUEST", status, body, null, cause);
            case 401 -> refused(Kind.PERMANENT, "UNAUTHORIZED", status, body, null, cause);
            case 402 -> refused(Kind.PERMANENT, "QUOTA_EXHAUSTED", status, body, null, cause);
            case 403 -> refused(Kind.PERMANENT, "FORBIDDEN", status, body, null, cause);
            case 404 -> refused(Kind.PERMANENT, "NOT_FOUND", status, body, null, cause);
            case 408, 504 -> refused(Kind.TRANSIENT, "TIMEOUT", status, body, retryAfter, cause);
            case 409, 425 -> refused(Kind.TRANSIENT, "CONFLICT", status, body, retryAfter, cause);
            case 413 -> refused(Kind.CONTEXT_OVERFLOW, "CONTEXT_OVERFLOW", status, body, null, cause);
            case 429 ->
                body.contains("insufficient_quota")
                        ? refused(Kind.PERMANENT, "QUOTA_EXHAUSTED", status, body, null, cause)
                        : refused(Kind.TRANSIENT, "RATE_LIMITED", status, body, retryAfter, cause);
            case 503, 529 -> refused(Kind.TRANSIENT, "OVERLOADED", status, body, retryAfter, cause);
            default -> {
                if (status < 500) {
                    yield refused(Kind.PERMANENT, "UNEXPECTED_STATUS", status, body, null, cause);
                }
                yield overflow
                        ? refused(Kind.CONTEXT_OVERFLOW, "CONTEXT_OVERFLOW", status, body, null, cause)
                        : refused(Kind.TRANSIENT, "SERVER_ERROR", status, body, retryAfter, cause);
            }
        };
    }

    private ModelException refused(
            Kind kind, String code, int status, String body, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        String advice = switch (kind) {
            case TRANSIENT -> retryAfter == null ? "try again later" : "try again after " + retryAfter;
            case CONTEXT_OVERFLOW -> "compact the session, or choose a model with a larger window";
            case PERMANENT -> "the same request would be refused again; see to the key, the model and the request";
        };
        String sentence = "answered with status " + status + ": " + message(body) + "; " + advice;
        return new ModelException(kind, code, where(sentence), status, retryAfter, requestId, withoutKey(cause));
    }

    private ModelException of(Kind kind, String code, String sentence, @Nullable Throwable cause) {
        return new ModelException(kind, code, where(sentence), null, null, requestId, withoutKey(cause));
    }

    private String where(String sentence) {
        return redacted("the model endpoint " + settings.baseUrl() + " " + sentence);
    }

    /** What an error says of itself, else its beginning. */
    private static String message(String body) {
        Optional<JsonObject> json = parsed(body);
        Optional<JsonObject> error = json.flatMap(OpenAiFaults::error);
        String message = error.flatMap(object -> object.string("message"))
                .or(() -> json.flatMap(object -> object.string("error")))
                .or(() -> json.flatMap(object -> object.string("message")))
                .orElse(body);
        return message.isBlank() ? "(no message)" : "\"" + quoted(message) + "\"";
    }

    private static Optional<JsonObject> error(JsonObject event) {
        return event.object("error");
    }

    private static Optional<JsonObject> parsed(String body) {
        try {
            return Json.parse(body) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
        } catch (AdmissionException noJson) {
            return Optional.empty();
        }
    }

    /** A code that is an HTTP status, as a number or its digits; else 0. */
    private static int status(@Nullable Json code) {
        long number = code instanceof JsonNumber digits ? digits.safeInteger().orElse(0) : 0;
        if (code instanceof io.surfacelog.event.JsonString text && text.value().matches("[45]\\d\\d")) {
            number = Long.parseLong(text.value());
        }
        return number >= 400 && number <= 599 ? (int) number : 0;
    }

    private @Nullable Duration retryAfter(Headers headers) {
        Optional<Duration> millis = first(headers, "retry-after-ms").flatMap(text -> seconds(text, 1e-3));
        return millis.or(() -> first(headers, "retry-after")
                        .flatMap(text -> seconds(text, 1).or(() -> until(text))))
                .orElse(null);
    }

    private static Optional<Duration> seconds(String text, double unit) {
        if (!text.matches("\\d{1,30}(\\.\\d{1,9})?")) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis(Math.round(Double.parseDouble(text) * unit * 1_000)));
    }

    private Optional<Duration> until(String text) {
        try {
            Instant then = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration wait = Duration.between(clock.instant(), then);
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException neither) {
            // a wait that cannot be read is no wait that was asked for
            return Optional.empty();
        }
    }

    private static Optional<String> first(Headers headers, String name) {
        List<String> values = headers.values(name);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(0).strip());
    }

    private static String quoted(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= QUOTED ? line : line.substring(0, QUOTED) + "…";
    }

    private String redacted(String text) {
        return key.map(secret -> text.replace(secret, "(the key)")).orElse(text);
    }

    /** A cause that repeats the key is left out: its message can end up in a log. */
    private @Nullable Throwable withoutKey(@Nullable Throwable cause) {
        if (key.isEmpty()) {
            return cause;
        }
        Throwable link = cause;
        for (int depth = 0; link != null && depth < 20; depth++) {
            if (String.valueOf(link.getMessage()).contains(key.get())) {
                return null;
            }
            link = link.getCause();
        }
        return cause;
    }
}
