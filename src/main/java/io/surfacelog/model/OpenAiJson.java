package io.surfacelog.model;

import com.openai.core.JsonArray;
import com.openai.core.JsonBoolean;
import com.openai.core.JsonNull;
import com.openai.core.JsonNumber;
import com.openai.core.JsonObject;
import com.openai.core.JsonString;
import com.openai.core.JsonValue;
import io.surfacelog.event.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Our JSON as the client library's, with every digit. */
final class OpenAiJson {

    private OpenAiJson() {}

    static JsonValue of(Json value) {
        if (value instanceof io.surfacelog.event.JsonObject object) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            object.forEach((name, member) -> members.put(name, of(member)));
            return JsonObject.of(members);
        }
        if (value instanceof io.surfacelog.event.JsonArray array) {
            List<JsonValue> items = new ArrayList<>();
            array.items().forEach(item -> items.add(of(item)));
            return JsonArray.of(items);
        }
        if (value instanceof io.surfacelog.event.JsonString string) {
            return JsonString.of(string.value());
        }
        if (value instanceof io.surfacelog.event.JsonNumber number) {
            return JsonNumber.of(new BigDecimal(number.digits()));
        }
        return value instanceof io.surfacelog.event.JsonBoolean flag
                ? JsonBoolean.of(flag == io.surfacelog.event.JsonBoolean.TRUE)
                : JsonNull.of();
    }
}
