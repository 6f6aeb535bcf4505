package io.surfacelog.agent;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.function.IntFunction;

/**
 * Writes events that have to be taken, whatever somebody has to say in them: where they are too large, texts in them are cut,
 * and cut again, as short as any limit of the log allows for.
 */
final class CutToFit {

    static final int SHORT = 1_024;
    static final int SHORTEST = 64;

    private CutToFit() {}

    /** Writes with whole texts, else with such as have at most so many characters. */
    static <T> T write(IntFunction<T> write) {
        try {
            return write.apply(Integer.MAX_VALUE);
        } catch (AdmissionException e) {
            needTooLarge(e);
        }
        try {
            return write.apply(SHORT);
        } catch (AdmissionException e) {
            needTooLarge(e);
        }
        return write.apply(SHORTEST);
    }

    private static void needTooLarge(AdmissionException e) {
        if (e.rule() != AdmissionRule.LIMIT_EVENT_BYTES) {
            throw e;
        }
    }

    static String text(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "… (" + (text.length() - end) + " characters more)";
    }

    /** With all texts in it cut; names of members stay. */
    static JsonObject texts(JsonObject json, int longest) {
        JsonObject.Builder cut = JsonObject.builder();
        json.forEach((name, value) -> cut.put(name, within(value, longest)));
        return cut.build();
    }

    private static Json within(Json json, int longest) {
        if (json instanceof JsonString string) {
            return JsonString.of(text(string.value(), longest));
        }
        if (json instanceof JsonObject object) {
            return texts(object, longest);
        }
        return json instanceof JsonArray array
                ? JsonArray.of(array.items().stream()
                        .map(item -> within(item, longest))
                        .toList())
                : json;
    }
}
