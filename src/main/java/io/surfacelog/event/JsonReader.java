package io.surfacelog.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON texts with Jackson's tokenizer and applies the value rules of the format. It walks the tokens with a stack
 * of its own, so that depth costs heap and not stack; the limits of Jackson are off, ours stand in their place.
 */
final class JsonReader {

    private static final TokenStreamFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .build();

    /** A value with the first of the value rules that it breaks, if any. */
    record Reading(Json value, @Nullable AdmissionException fault) {

        Json admitted() {
            if (fault != null) {
                throw fault;
            }
            return value;
        }
    }

    private JsonReader() {}

    static Json parse(String text) {
        return read(text).admitted();
    }

    /**
     * Reads one text; only broken syntax is thrown, the other faults stand in the answer.
     *
     * @throws AdmissionException {@code json.syntax}
     */
    static Reading read(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new AdmissionException(AdmissionRule.JSON_SYNTAX, "expected a JSON value, found nothing");
            }
            Reading reading = read(parser);
            if (parser.nextToken() != null) {
                throw new AdmissionException(
                        AdmissionRule.JSON_SYNTAX, "expected the end after one JSON value, found more");
            }
            return reading;
        } catch (JacksonException e) {
            throw syntax(e);
        }
    }

    static JsonParser open(String text) {
        return FACTORY.createParser(ObjectReadContext.empty(), text);
    }

    static AdmissionException syntax(JacksonException e) {
        return new AdmissionException(
                AdmissionRule.JSON_SYNTAX,
                "expected JSON, found: " + e.getOriginalMessage().replaceAll(" \\(start marker.*", ""));
    }

    static AdmissionException tooDeep() {
        return new AdmissionException(
                AdmissionRule.LIMIT_DEPTH,
                "expected at most " + Json.MAX_DEPTH + " levels of nesting in an event, found more");
    }

    /** Reads the value whose first token the parser stands on; leaves it on the last. */
    static Reading read(JsonParser parser) {
        Frame frame = null;
        int depth = 0;
        AdmissionException fault = null;
        JsonToken token = parser.currentToken();
        while (true) {
            Json value;
            switch (token) {
                case START_OBJECT, START_ARRAY -> {
                    depth++;
                    if (depth == Json.MAX_DEPTH + 1 && fault == null) {
                        fault = tooDeep();
                    }
                    frame = new Frame(frame, token == JsonToken.START_OBJECT);
                    token = next(parser);
                    continue;
                }
                case PROPERTY_NAME -> {
                    current(frame).name(parser.currentName());
                    token = next(parser);
                    continue;
                }
                case END_OBJECT, END_ARRAY -> {
                    Frame closed = current(frame);
                    depth--;
                    String twice = closed.duplicate();
                    // text that is no JSON is told before values that JSON would lose
                    if (twice != null && (fault == null || fault.rule() != AdmissionRule.JSON_SYNTAX)) {
                        fault = new AdmissionException(
                                AdmissionRule.JSON_SYNTAX,
                                "expected each key once in an object, found " + JsonString.of(twice) + " twice");
                    }
                    value = closed.close();
                    frame = closed.parent;
                }
                case VALUE_STRING -> value = new JsonString(parser.getString());
                case VALUE_TRUE -> value = JsonBoolean.TRUE;
                case VALUE_FALSE -> value = JsonBoolean.FALSE;
                case VALUE_NULL -> value = JsonNull.NULL;
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                    String digits = parser.getString();
                    if (fault == null) {
                        String loss = JsonNumber.loss(digits);
                        if (loss != null) {
                            fault = new AdmissionException(
                                    AdmissionRule.JSON_LOSSLESS,
                                    "expected a finite number other than negative zero, found " + abridged(digits)
                                            + ", " + loss);
                        }
                    }
                    value = JsonNumber.unchecked(digits);
                }
                default -> throw new IllegalStateException("unexpected token " + token);
            }
            if (frame == null) {
                return new Reading(value, fault);
            }
            frame.add(value);
            token = next(parser);
        }
    }

    private static Frame current(@Nullable Frame frame) {
        if (frame == null) {
            throw new IllegalStateException("a token stands outside of any value");
        }
        return frame;
    }

    private static JsonToken next(JsonParser parser) {
        JsonToken token = parser.nextToken();
        if (token == null) {
            throw new AdmissionException(AdmissionRule.JSON_SYNTAX, "expected JSON, found the end inside a value");
        }
        return token;
    }

    static String abridged(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "… (" + text.length() + " characters)";
    }

    /** One open object or array. */
    private static final class Frame {

        private final @Nullable Frame parent;
        private final @Nullable List<String> names;
        private Json[] values = new Json[4];
        private int size;

        Frame(@Nullable Frame parent, boolean object) {
            this.parent = parent;
            this.names = object ? new ArrayList<>(6) : null;
        }

        void name(String name) {
            if (names != null) {
                names.add(name);
            }
        }

        void add(Json value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = value;
        }

        @Nullable
        String duplicate() {
            return names == null ? null : JsonObject.duplicate(names);
        }

        Json close() {
            if (names == null) {
                return size == 0 ? JsonArray.EMPTY : new JsonArray(List.of(Arrays.copyOf(values, size)));
            }
            return size == 0
                    ? JsonObject.EMPTY
                    : new JsonObject(names.toArray(String[]::new), Arrays.copyOf(values, size));
        }
    }
}
