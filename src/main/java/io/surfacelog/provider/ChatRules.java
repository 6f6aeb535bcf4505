package io.surfacelog.provider;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What OpenAI and DeepSeek refuse in a chat completion. */
final class ChatRules {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final int MOST_CALLS = 128;
    private static final int MOST_TOOLS = 128;
    private static final int LONGEST_ID = 40;

    private final boolean deepSeek;
    private final Violations violations = new Violations();

    /** Ids of the calls that wait for results, and of those that have theirs, of the last message with calls. */
    private final Set<String> open = new LinkedHashSet<>();

    private final Set<String> answered = new HashSet<>();
    private String caller = "";

    private ChatRules(boolean deepSeek) {
        this.deepSeek = deepSeek;
    }

    static List<Violation> check(Provider provider, JsonObject request) {
        ChatRules rules = new ChatRules(provider == Provider.DEEPSEEK);
        rules.check(request);
        return rules.violations.all();
    }

    private void check(JsonObject request) {
        violations.model(request);
        violations.temperature(request, 2);
        violations.count(request, "max_tokens", false);
        violations.count(request, "max_completion_tokens", false);
        stop(request.get("stop"));
        effort(request.get("reasoning_effort"));
        tools(request.get("tools"));
        violations.wellFormed(request);
        if (!(request.get("messages") instanceof JsonArray messages) || messages.size() == 0) {
            violations.add(
                    ViolationRule.MESSAGES, "messages", "an array of at least one message", request.get("messages"));
            return;
        }
        for (int i = 0; i < messages.size(); i++) {
            message("messages[" + i + "]", messages.get(i));
        }
        closeCalls();
        if (deepSeek) {
            new DeepSeekOrder(violations).check(messages);
        }
    }

    private void stop(@Nullable Json stop) {
        if (stop == null || stop instanceof JsonNull) {
            return;
        }
        List<Json> items = stop instanceof JsonArray array ? array.items() : List.of(stop);
        int most = deepSeek ? 16 : 4;
        boolean holds = !items.isEmpty()
                && items.size() <= most
                && items.stream()
                        .allMatch(item ->
                                item instanceof JsonString text && !text.value().isEmpty());
        violations.require(holds, ViolationRule.STOP, "stop", "a text or 1 to " + most + " texts", stop);
    }

    private void effort(@Nullable Json effort) {
        List<String> words = deepSeek
                ? List.of("low", "medium", "high", "xhigh", "max")
                : List.of("none", "minimal", "low", "medium", "high", "xhigh");
        boolean holds = effort == null || (effort instanceof JsonString word && words.contains(word.value()));
        violations.require(holds, ViolationRule.EFFORT, "reasoning_effort", "one of " + words, effort);
    }

    private void tools(@Nullable Json tools) {
        if (tools == null) {
            return;
        }
        if (!(tools instanceof JsonArray array) || array.size() == 0 || array.size() > MOST_TOOLS) {
            violations.add(ViolationRule.TOOLS, "tools", "an array of 1 to " + MOST_TOOLS + " tools", tools);
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < array.size(); i++) {
            String at = "tools[" + i + "]";
            if (array.get(i) instanceof JsonObject tool
                    && tool.string("type").filter("function"::equals).isPresent()
                    && tool.get("function") instanceof JsonObject function) {
                violations.tool(at + ".function", function.get("name"), function.get("parameters"), NAME, seen);
            } else {
                violations.add(ViolationRule.TOOLS, at, "a tool of type function", array.get(i));
            }
        }
    }

    private void message(String at, Json json) {
        if (!(json instanceof JsonObject message)) {
            violations.add(ViolationRule.ROLE, at, "a message with a role", json);
            return;
        }
        String role = message.string("role").orElse("");
        if (!role.equals("tool")) {
            closeCalls();
        }
        switch (role) {
            case "system", "developer" -> content(at, message, false);
            case "user" -> content(at, message, !deepSeek);
            case "assistant" -> assistant(at, message);
            case "tool" -> {
                content(at, message, false);
                result(at, message.get("tool_call_id"));
            }
            default ->
                violations.add(
                        ViolationRule.ROLE, at + ".role", "system, user, assistant or tool", message.get("role"));
        }
    }

    private void content(String at, JsonObject message, boolean images) {
        Json content = message.get("content");
        if (content instanceof JsonString) {
            return;
        }
        if (!(content instanceof JsonArray parts)) {
            violations.add(ViolationRule.CONTENT, at + ".content", "a text or an array of parts", content);
            return;
        }
        violations.require(parts.size() > 0, ViolationRule.EMPTY, at + ".content", "at least one part", content);
        for (int i = 0; i < parts.size(); i++) {
            part(at + ".content[" + i + "]", parts.get(i), images);
        }
    }

    private void part(String at, Json json, boolean images) {
        JsonObject part = json instanceof JsonObject object ? object : JsonObject.EMPTY;
        switch (part.string("type").orElse("")) {
            case "text" ->
                violations.require(
                        part.string("text").isPresent(), ViolationRule.BLOCK, at, "a part with a text", json);
            case "image_url" -> {
                String url = part.object("image_url")
                        .flatMap(image -> image.string("url"))
                        .orElse("");
                violations.require(
                        images && url.matches("(?s)(https?://|data:image/).+"),
                        ViolationRule.IMAGE,
                        at,
                        images ? "an image by its URL" : "no image here",
                        json);
            }
            default -> violations.add(ViolationRule.BLOCK, at, "a part of type text or image_url", json);
        }
    }

    private void assistant(String at, JsonObject message) {
        Json content = message.get("content");
        Json calls = message.get("tool_calls");
        if (content != null && !(content instanceof JsonNull)) {
            content(at, message, false);
        }
        boolean says = Violations.isVisible(content) || (content instanceof JsonArray parts && parts.size() > 0);
        if (calls == null) {
            violations.require(
                    says, ViolationRule.EMPTY, at + ".content", "a text where there are no tool_calls", content);
            return;
        }
        if (!(calls instanceof JsonArray array) || array.size() == 0) {
            violations.add(ViolationRule.CALL, at + ".tool_calls", "an array of at least one call", calls);
            return;
        }
        violations.require(
                array.size() <= MOST_CALLS,
                ViolationRule.CALLS_TOO_MANY,
                at + ".tool_calls",
                "at most " + MOST_CALLS + " calls",
                Json.of(array.size()));
        caller = at;
        for (int i = 0; i < array.size(); i++) {
            call(at + ".tool_calls[" + i + "]", array.get(i));
        }
    }

    private void call(String at, Json json) {
        if (!(json instanceof JsonObject call)
                || call.string("type").filter("function"::equals).isEmpty()
                || !(call.get("function") instanceof JsonObject function)) {
            violations.add(ViolationRule.CALL, at, "a call of type function", json);
            return;
        }
        if (!(call.get("id") instanceof JsonString id)
                || id.value().isEmpty()
                || id.value().length() > LONGEST_ID) {
            violations.add(
                    ViolationRule.CALL_ID, at + ".id", "an id of 1 to " + LONGEST_ID + " characters", call.get("id"));
        } else if (!open.add(id.value())) {
            violations.add(ViolationRule.CALL_ID_TWICE, at + ".id", "each id once", id);
        }
        Json name = function.get("name");
        violations.require(
                name instanceof JsonString text && NAME.matcher(text.value()).matches(),
                ViolationRule.CALL_NAME,
                at + ".function.name",
                "a name that matches " + NAME,
                name);
        Json arguments = function.get("arguments");
        violations.require(
                arguments instanceof JsonString text && (!deepSeek || isObject(text.value())),
                ViolationRule.CALL_ARGUMENTS,
                at + ".function.arguments",
                deepSeek ? "the text of a JSON object" : "a text",
                arguments);
    }

    private static boolean isObject(String text) {
        try {
            return Json.parse(text) instanceof JsonObject;
        } catch (AdmissionException noJson) {
            return false;
        }
    }

    private void result(String at, @Nullable Json id) {
        String place = at + ".tool_call_id";
        if (!(id instanceof JsonString text)) {
            violations.add(ViolationRule.RESULT_UNKNOWN, place, "the id of a call", id);
        } else if (open.remove(text.value())) {
            answered.add(text.value());
        } else if (answered.contains(text.value())) {
            violations.add(ViolationRule.RESULT_TWICE, place, "one result for each call", id);
        } else {
            violations.add(ViolationRule.RESULT_UNKNOWN, place, "the id of a call of the message directly before", id);
        }
    }

    /** Whatever is no result ends the place where results may stand. */
    private void closeCalls() {
        for (String id : new ArrayList<>(open)) {
            violations.add(
                    ViolationRule.RESULT_MISSING,
                    caller,
                    "a result of call " + JsonString.of(id).toText() + " directly behind it",
                    null);
        }
        open.clear();
        answered.clear();
    }
}
