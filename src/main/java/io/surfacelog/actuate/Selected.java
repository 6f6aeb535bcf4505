package io.surfacelog.actuate;

import io.surfacelog.event.SessionId;
import io.surfacelog.projection.UnknownEventException;
import io.surfacelog.store.UnknownSessionException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** What a request names, and what it is told where it names what is not there. */
final class Selected {

    private Selected() {}

    /**
     * The answer for a session; null, which the actuator answers as not found, if there is no such session or event.
     *
     * @param id the id as it came: any text is one, and none is ever part of a path
     */
    static <T> @Nullable T session(String id, Function<SessionId, T> answer) {
        if (id.isEmpty()) {
            throw invalid("session", "the id of a session", "an empty text");
        }
        try {
            return answer.apply(SessionId.of(id));
        } catch (UnknownSessionException | UnknownEventException e) {
            return null;
        }
    }

    /** A number from a request within bounds, both included; the default where it names none. */
    static long within(String name, @Nullable Long found, long least, long most, long byDefault) {
        long value = Optional.ofNullable(found).orElse(byDefault);
        if (value < least || value > most) {
            throw invalid(
                    name,
                    most == Long.MAX_VALUE ? "a number from " + least : "a number from " + least + " to " + most,
                    String.valueOf(value));
        }
        return value;
    }

    static InvalidEndpointRequestException invalid(String parameter, String expected, String found) {
        String message = "expected " + parameter + " to be " + expected + ", found " + found;
        return new InvalidEndpointRequestException(message, message);
    }
}
