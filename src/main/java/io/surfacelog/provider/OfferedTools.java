package io.surfacelog.provider;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tools of a request header, which admission does not look at: as {@code {name, description, parameters}}, as
 * OpenAI writes them, as Anthropic writes them, or as anything else.
 */
final class OfferedTools {

    private final Provider provider;
    private final Adjustments adjustments;
    private final List<OfferedTool> tools = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private OfferedTools(Provider provider, Adjustments adjustments) {
        this.provider = provider;
        this.adjustments = adjustments;
    }

    static List<OfferedTool> of(@Nullable Json recorded, Provider provider, Adjustments adjustments) {
        OfferedTools offered = new OfferedTools(provider, adjustments);
        if (recorded instanceof JsonArray array) {
            for (int i = 0; i < array.size(); i++) {
                offered.read(i, array.get(i));
            }
        } else if (recorded != null) {
            offered.leaveOut("expected the tools of the header to be an array, found "
                    + Adjustments.quoted(WellFormed.json(recorded).toText()));
        }
        return List.copyOf(offered.tools);
    }

    private void read(int index, Json item) {
        JsonObject tool =
                item instanceof JsonObject object ? object.object("function").orElse(object) : JsonObject.EMPTY;
        String name = tool.string("name").orElse("");
        if (name.isEmpty()) {
            leaveOut("expected tool " + index + " of the header to be an object with a name, found another value");
        } else if (names.contains(name)) {
            leaveOut("found a second tool " + Adjustments.quoted(name) + " at " + index);
        } else if (provider != Provider.ANTHROPIC && tools.size() == 128) {
            leaveOut("found more than the 128 tools that are taken; left out " + Adjustments.quoted(name));
        } else {
            names.add(name);
            Json schema = tool.get("parameters");
            schema = schema == null ? tool.get("input_schema") : schema;
            Optional<String> description = tool.string("description")
                    .map(text -> adjustments.wellFormed(Adjustments.REQUEST, text))
                    .filter(text -> !Blank.is(text));
            tools.add(new OfferedTool(name, description, schema(name, schema)));
        }
    }

    private void leaveOut(String detail) {
        adjustments.add(AdjustmentRule.TOOLS_LEFT_OUT, Adjustments.REQUEST, detail);
    }

    /** The schema as an object with properties and, at its top, no choice between schemas. */
    private JsonObject schema(String name, @Nullable Json recorded) {
        JsonObject schema = recorded instanceof JsonObject object && !Arguments.isDeeper(object, Arguments.MAX_DEPTH)
                ? (JsonObject) adjustments.wellFormed(Adjustments.REQUEST, (Json) object)
                : JsonObject.EMPTY;
        JsonObject sound = schema;
        if (!(sound.get("type") instanceof JsonString type) || !type.value().equals("object")) {
            sound = sound.with("type", JsonString.of("object"));
        }
        if (!(sound.get("properties") instanceof JsonObject)) {
            sound = sound.with("properties", JsonObject.EMPTY);
        }
        for (String choice : List.of("oneOf", "anyOf", "allOf", "enum", "not")) {
            sound = sound.without(choice);
        }
        if (provider == Provider.ANTHROPIC) {
            sound = withSpellableProperties(sound);
        }
        // a tool without arguments is often recorded without a schema, or an empty one: nothing is changed then
        boolean none = recorded == null || recorded.equals(JsonObject.EMPTY);
        if (!sound.equals(schema) && !none) {
            adjustments.add(
                    AdjustmentRule.TOOLS_SCHEMA,
                    Adjustments.REQUEST,
                    "expected the schema of tool " + Adjustments.quoted(name) + " to be of type object with properties"
                            + " and no choice at its top; the request holds it as one");
        }
        return sound;
    }

    private static JsonObject withSpellableProperties(JsonObject schema) {
        JsonObject properties = schema.object("properties").orElseThrow();
        JsonObject.Builder kept = JsonObject.builder();
        Set<String> left = new HashSet<>();
        properties.forEach((key, value) -> {
            if (key.matches("[a-zA-Z0-9_.-]{1,64}")) {
                kept.put(key, value);
            } else {
                left.add(key);
            }
        });
        if (left.isEmpty()) {
            return schema;
        }
        JsonObject sound = schema.with("properties", kept.build());
        return schema.get("required") instanceof JsonArray required
                ? sound.with(
                        "required",
                        JsonArray.of(required.items().stream()
                                .filter(item -> !(item instanceof JsonString string) || !left.contains(string.value()))
                                .toList()))
                : sound;
    }
}
