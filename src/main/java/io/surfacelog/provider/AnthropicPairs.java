package io.surfacelog.provider;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** How Anthropic wants uses of tools and their results to meet. */
final class AnthropicPairs {

    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9_-]+");

    private final Violations violations;
    private final Set<String> everUsed = new HashSet<>();

    /** The uses of the message before. */
    private Set<String> open = new LinkedHashSet<>();

    private boolean usesTools;

    AnthropicPairs(Violations violations) {
        this.violations = violations;
    }

    /** Whether there is any use of a tool, or any result. */
    boolean usesTools() {
        return usesTools;
    }

    void check(JsonArray messages) {
        for (int i = 0; i < messages.size(); i++) {
            List<Json> blocks = messages.get(i) instanceof JsonObject message
                    ? message.array("content").orElse(JsonArray.EMPTY).items()
                    : List.of();
            message("messages[" + i + "]", blocks);
        }
        missing(messages.size() - 1, open);
    }

    private void message(String at, List<Json> blocks) {
        Set<String> expected = open;
        Set<String> used = new LinkedHashSet<>();
        Set<String> answered = new HashSet<>();
        boolean resultsOver = false;
        for (int i = 0; i < blocks.size(); i++) {
            JsonObject block = blocks.get(i) instanceof JsonObject object ? object : JsonObject.EMPTY;
            String place = at + ".content[" + i + "]";
            String type = block.string("type").orElse("");
            if (type.equals("tool_use")) {
                usesTools = true;
                use(place + ".id", block, used);
            }
            if (type.equals("tool_result")) {
                usesTools = true;
                violations.require(
                        !resultsOver, ViolationRule.RESULT_PLACE, place, "results before everything else", block);
                result(place + ".tool_use_id", block, expected, answered);
            } else {
                resultsOver = true;
            }
        }
        expected.removeAll(answered);
        if (!expected.isEmpty()) {
            violations.add(
                    ViolationRule.RESULT_MISSING,
                    at,
                    "results of all calls of the message before; missing "
                            + Json.of(expected).toText(),
                    null);
        }
        open = used;
    }

    private void missing(int last, Set<String> ids) {
        if (!ids.isEmpty()) {
            violations.add(
                    ViolationRule.RESULT_MISSING,
                    "messages[" + last + "]",
                    "a message with the results of " + Json.of(ids).toText() + " behind it",
                    null);
        }
    }

    private void use(String at, JsonObject block, Set<String> used) {
        if (!(block.get("id") instanceof JsonString id)
                || !ID.matcher(id.value()).matches()) {
            violations.add(ViolationRule.CALL_ID, at, "an id that matches " + ID, block.get("id"));
            return;
        }
        violations.require(
                everUsed.add(id.value()), ViolationRule.CALL_ID_TWICE, at, "each id once in the request", id);
        used.add(id.value());
    }

    private void result(String at, JsonObject block, Set<String> expected, Set<String> answered) {
        Json id = block.get("tool_use_id");
        String name = id instanceof JsonString text ? text.value() : "";
        if (!expected.contains(name)) {
            violations.add(ViolationRule.RESULT_UNKNOWN, at, "the id of a call of the message before", id);
        } else {
            violations.require(answered.add(name), ViolationRule.RESULT_TWICE, at, "one result for each call", id);
        }
    }
}
