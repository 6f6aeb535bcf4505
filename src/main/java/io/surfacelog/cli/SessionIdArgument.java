package io.surfacelog.cli;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.SessionId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A session id on the command line: the id itself, or {@code json:} and a JSON string, since an id may hold what cannot be
 * typed. What is printed can be typed again.
 */
final class SessionIdArgument implements ITypeConverter<SessionId> {

    /** Stands in the help of every command that takes an id. */
    static final String HELP = "The session's id as it is; or json: and a JSON string, for one that cannot be typed.";

    private static final String PREFIX = "json:";

    @Override
    public SessionId convert(String typed) {
        String value = text(typed);
        if (value.isEmpty()) {
            throw new TypeConversionException("expected a session id, found an empty one");
        }
        return SessionId.of(value);
    }

    /** Part of an id, which may be empty. */
    static final class Part implements ITypeConverter<String> {

        @Override
        public String convert(String typed) {
            return text(typed);
        }
    }

    private static String text(String typed) {
        if (!typed.startsWith(PREFIX)) {
            return typed;
        }
        String json = typed.substring(PREFIX.length());
        try {
            if (Json.parse(json) instanceof JsonString string) {
                return string.value();
            }
        } catch (AdmissionException noJson) {
            // the sentence below says it all
        }
        throw new TypeConversionException("expected a JSON string after json:, found " + json);
    }

    /** The id as it can be typed. */
    static String typed(SessionId id) {
        String value = id.value();
        boolean plain = ShownText.visible(value).equals(value)
                && value.strip().equals(value)
                && !value.startsWith(PREFIX)
                && !value.startsWith("-");
        return plain ? value : PREFIX + JsonLine.of(JsonString.of(value));
    }
}
