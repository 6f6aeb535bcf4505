package io.surfacelog.cli;

import io.surfacelog.cli.AcpException.Code;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonBoolean;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a line as clients write it. Where {@link Json#parse} refuses a key that stands twice, here the last one counts: there
 * are client libraries that write the type of each block twice. It never reaches a log so.
 */
final class AcpJson {

    private static final int MAX_DEPTH = 500;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private AcpJson() {}

    /**
     * The value of a line.
     *
     * @throws AcpException a parse error if it is none
     */
    static Json parse(byte[] line) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), InputLines.decode(line))) {
            if (parser.nextToken() == null) {
                throw fault("found nothing");
            }
            Json value = value(parser);
            if (parser.nextToken() != null) {
                throw fault("found more behind it");
            }
            return value;
        } catch (JacksonException e) {
            throw fault("found " + e.getOriginalMessage());
        } catch (AdmissionException e) {
            throw fault(String.valueOf(e.getMessage()));
        } catch (CharacterCodingException e) {
            throw fault("found bytes that are not UTF-8");
        }
    }

    private static AcpException fault(String found) {
        return new AcpException(Code.PARSE_ERROR, "expected one JSON object a line, " + found);
    }

    /** Its depth is bounded by the parser, so it may recur. */
    private static Json value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> JsonString.of(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> JsonNumber.ofDigits(parser.getString());
            case VALUE_TRUE -> JsonBoolean.TRUE;
            case VALUE_FALSE -> JsonBoolean.FALSE;
            default -> JsonNull.NULL;
        };
    }

    private static JsonObject object(JsonParser parser) {
        JsonObject.Builder object = JsonObject.builder();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            object.put(name, value(parser));
        }
        return object.build();
    }

    private static JsonArray array(JsonParser parser) {
        List<Json> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return JsonArray.of(items);
    }
}
