package io.surfacelog.provider;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.ToolCallBlock;
import java.util.Optional;

/**
 * The arguments of a call as an object, and as its text. Models write what is no object; some providers refuse that, and
 * so do many servers that speak like OpenAI, which would lock the session for good.
 */
record Arguments(JsonObject object, String text) {

    /** Parsers of providers give up on deep values; the text of one this deep is sent instead. */
    static final int MAX_DEPTH = 64;

    static Arguments of(int message, ToolCallBlock call, Adjustments adjustments) {
        String raw = call.arguments();
        if (Blank.is(raw)) {
            adjustments.add(
                    AdjustmentRule.CALL_ARGUMENTS,
                    message,
                    "found no arguments of call " + Adjustments.quoted(call.id()) + "; the request says {}");
            return new Arguments(JsonObject.EMPTY, "{}");
        }
        Optional<JsonObject> parsed = parse(raw);
        if (parsed.isPresent()) {
            JsonObject object = (JsonObject) adjustments.wellFormed(message, (Json) parsed.get());
            // where nothing was replaced the digits, the white space and the order stay as the model wrote them
            return new Arguments(object, object.equals(parsed.get()) ? raw : object.toText());
        }
        adjustments.add(
                AdjustmentRule.CALL_ARGUMENTS,
                message,
                "expected the arguments of call " + Adjustments.quoted(call.id()) + " to be a JSON object, found "
                        + Adjustments.quoted(raw) + "; the request holds them as the text of \"arguments\"");
        JsonObject wrapped = JsonObject.builder()
                .put("arguments", adjustments.wellFormed(message, raw))
                .build();
        return new Arguments(wrapped, wrapped.toText());
    }

    private static Optional<JsonObject> parse(String raw) {
        try {
            return Json.parse(raw) instanceof JsonObject object && !isDeeper(object, MAX_DEPTH)
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (AdmissionException noJson) {
            return Optional.empty();
        }
    }

    /** Whether the value has more than so many levels. */
    static boolean isDeeper(Json value, int levels) {
        if (value instanceof JsonArray array) {
            return levels == 0 || array.items().stream().anyMatch(item -> isDeeper(item, levels - 1));
        }
        if (value instanceof JsonObject object) {
            return levels == 0
                    || object.names().stream().anyMatch(name -> {
                        Json member = object.get(name);
                        return member != null && isDeeper(member, levels - 1);
                    });
        }
        return false;
    }
}
