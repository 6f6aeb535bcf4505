package io.surfacelog.provider;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What Anthropic refuses in a request to its messages API. */
final class AnthropicRules {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,128}");
    private static final Pattern PROPERTY = Pattern.compile("[a-zA-Z0-9_.-]{1,64}");

    private final Violations violations = new Violations();

    private AnthropicRules() {}

    static List<Violation> check(JsonObject request) {
        AnthropicRules rules = new AnthropicRules();
        rules.request(request);
        return rules.violations.all();
    }

    private void request(JsonObject request) {
        violations.model(request);
        violations.temperature(request, 1);
        violations.count(request, "max_tokens", true);
        system(request.get("system"));
        stop(request.get("stop_sequences"));
        violations.wellFormed(request);
        Set<String> tools = new HashSet<>();
        tools(request.get("tools"), tools);
        if (!(request.get("messages") instanceof JsonArray messages) || messages.size() == 0) {
            violations.add(
                    ViolationRule.MESSAGES, "messages", "an array of at least one message", request.get("messages"));
            return;
        }
        AnthropicPairs pairs = new AnthropicPairs(violations);
        order(messages);
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i) instanceof JsonObject message) {
                message("messages[" + i + "]", message);
            }
        }
        pairs.check(messages);
        violations.require(
                tools.size() > 0 || !pairs.usesTools(),
                ViolationRule.TOOLS_UNDEFINED,
                "tools",
                "tools to be defined where the messages use them",
                request.get("tools"));
    }

    private void system(@Nullable Json system) {
        boolean holds = system == null
                || Violations.isVisible(system)
                || (system instanceof JsonArray blocks
                        && blocks.items().stream()
                                .allMatch(item ->
                                        item instanceof JsonObject block && Violations.isVisible(block.get("text"))));
        violations.require(holds, ViolationRule.SYSTEM, "system", "a text that is not blank", system);
    }

    private void stop(@Nullable Json stop) {
        boolean holds = stop == null
                || (stop instanceof JsonArray array && array.items().stream().allMatch(Violations::isVisible));
        violations.require(holds, ViolationRule.STOP, "stop_sequences", "an array of texts that are not blank", stop);
    }

    private void tools(@Nullable Json tools, Set<String> seen) {
        if (tools == null) {
            return;
        }
        if (!(tools instanceof JsonArray array)) {
            violations.add(ViolationRule.TOOLS, "tools", "an array", tools);
            return;
        }
        for (int i = 0; i < array.size(); i++) {
            String at = "tools[" + i + "]";
            if (!(array.get(i) instanceof JsonObject tool)) {
                violations.add(ViolationRule.TOOLS, at, "a tool", array.get(i));
                continue;
            }
            Json schema = tool.get("input_schema");
            violations.tool(at, tool.get("name"), schema, NAME, seen);
            boolean spelt = !(schema instanceof JsonObject object)
                    || object.object("properties").stream()
                            .flatMap(properties -> properties.names().stream())
                            .allMatch(key -> PROPERTY.matcher(key).matches());
            violations.require(
                    spelt, ViolationRule.TOOL_SCHEMA, at, "names of properties that match " + PROPERTY, schema);
        }
    }

    private void order(JsonArray messages) {
        String before = "";
        for (int i = 0; i < messages.size(); i++) {
            String at = "messages[" + i + "]";
            String role = messages.get(i) instanceof JsonObject message
                    ? message.string("role").orElse("")
                    : "";
            if (!role.equals("user") && !role.equals("assistant")) {
                violations.add(ViolationRule.ROLE, at, "a message of user or assistant", messages.get(i));
            } else if (i == 0) {
                violations.require(
                        role.equals("user"), ViolationRule.FIRST, at, "a message of the user first", Json.of(role));
            } else {
                violations.require(
                        !role.equals(before),
                        ViolationRule.ALTERNATION,
                        at,
                        "user and assistant to take turns",
                        Json.of(role));
            }
            before = role;
        }
        violations.require(
                !before.equals("assistant"),
                ViolationRule.LAST,
                "messages[" + (messages.size() - 1) + "]",
                "the last message to be the user's",
                Json.of(before));
    }

    private void message(String at, JsonObject message) {
        Json content = message.get("content");
        boolean user = message.string("role").filter("user"::equals).isPresent();
        if (content instanceof JsonString) {
            violations.require(
                    Violations.isVisible(content),
                    ViolationRule.EMPTY,
                    at + ".content",
                    "a text that is not blank",
                    content);
            return;
        }
        if (!(content instanceof JsonArray blocks)) {
            violations.add(ViolationRule.CONTENT, at + ".content", "a text or an array of blocks", content);
            return;
        }
        violations.require(blocks.size() > 0, ViolationRule.EMPTY, at + ".content", "at least one block", content);
        String type = "";
        for (int i = 0; i < blocks.size(); i++) {
            JsonObject block = blocks.get(i) instanceof JsonObject object ? object : JsonObject.EMPTY;
            type = block.string("type").orElse("");
            block(at + ".content[" + i + "]", type, block, user);
        }
        violations.require(
                !type.equals("thinking") && !type.equals("redacted_thinking"),
                ViolationRule.THINKING,
                at + ".content",
                "something to follow the last thinking",
                null);
    }

    private void block(String at, String type, JsonObject block, boolean user) {
        boolean known = switch (type) {
            case "text" -> {
                violations.require(
                        Violations.isVisible(block.get("text")),
                        ViolationRule.EMPTY,
                        at,
                        "a text that is not blank",
                        block);
                yield true;
            }
            case "image" -> {
                image(at, block);
                yield user;
            }
            case "tool_use" -> {
                Json name = block.get("name");
                violations.require(
                        name instanceof JsonString text
                                && NAME.matcher(text.value()).matches(),
                        ViolationRule.CALL_NAME,
                        at + ".name",
                        "a name that matches " + NAME,
                        name);
                violations.require(
                        block.get("input") instanceof JsonObject,
                        ViolationRule.CALL_ARGUMENTS,
                        at + ".input",
                        "an object",
                        block.get("input"));
                yield !user;
            }
            case "tool_result" -> {
                result(at, block);
                yield user;
            }
            case "thinking" -> {
                violations.require(
                        block.string("thinking").isPresent() && Violations.isVisible(block.get("signature")),
                        ViolationRule.THINKING,
                        at,
                        "thinking with its signature",
                        block);
                yield !user;
            }
            case "redacted_thinking" -> !user;
            default -> false;
        };
        violations.require(
                known, ViolationRule.BLOCK, at, "a block that " + (user ? "users" : "assistants") + " may have", block);
    }

    private void image(String at, JsonObject block) {
        JsonObject source = block.object("source").orElse(JsonObject.EMPTY);
        boolean holds = switch (source.string("type").orElse("")) {
            case "base64" ->
                source.string("media_type")
                                .filter(type -> type.matches("image/(png|jpeg|gif|webp)"))
                                .isPresent()
                        && source.string("data").filter(data -> !data.isEmpty()).isPresent();
            case "url" ->
                source.string("url").filter(url -> url.startsWith("https://")).isPresent();
            default -> false;
        };
        violations.require(
                holds, ViolationRule.IMAGE, at, "an image in base 64 with its media type, or by HTTPS", block);
    }

    private void result(String at, JsonObject block) {
        Json content = block.get("content");
        boolean error = block.isTrue("is_error");
        if (content instanceof JsonArray parts) {
            for (int i = 0; i < parts.size(); i++) {
                JsonObject part = parts.get(i) instanceof JsonObject object ? object : JsonObject.EMPTY;
                String type = part.string("type").orElse("");
                String place = at + ".content[" + i + "]";
                violations.require(
                        type.equals("text") || (type.equals("image") && !error),
                        ViolationRule.BLOCK,
                        place,
                        error ? "text in a result that is an error" : "text or image in a result",
                        part);
                if (type.equals("text") || type.equals("image")) {
                    block(place, type, part, true);
                }
            }
        } else {
            violations.require(
                    content == null || content instanceof JsonString,
                    ViolationRule.CONTENT,
                    at + ".content",
                    "a text or an array of blocks",
                    content);
        }
        boolean says = Violations.isVisible(content) || (content instanceof JsonArray parts && parts.size() > 0);
        violations.require(
                !error || says, ViolationRule.EMPTY, at + ".content", "a result that is an error to say so", content);
    }
}
