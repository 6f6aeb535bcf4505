package io.surfacelog.provider;

import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import java.util.ArrayList;
import java.util.List;

/** What DeepSeek's reasoning models refuse beyond what a chat completion has to be. */
final class DeepSeekOrder {

    private final Violations violations;

    DeepSeekOrder(Violations violations) {
        this.violations = violations;
    }

    void check(JsonArray messages) {
        String before = "";
        boolean called = false;
        List<Integer> unreasoned = new ArrayList<>();
        JsonObject last = JsonObject.EMPTY;
        for (int i = 0; i < messages.size(); i++) {
            if (!(messages.get(i) instanceof JsonObject message)
                    || message.string("role").filter("system"::equals).isPresent()) {
                continue;
            }
            last = message;
            String role = message.string("role").orElse("");
            if (before.isEmpty()) {
                violations.require(
                        role.equals("user"),
                        ViolationRule.FIRST,
                        "messages[" + i + "]",
                        "a message of the user first",
                        message.get("role"));
            }
            violations.require(
                    !role.equals(before) || role.equals("tool"),
                    ViolationRule.ALTERNATION,
                    "messages[" + i + "]",
                    "user and assistant to take turns",
                    message.get("role"));
            if (role.equals("user")) {
                reasoning(called, unreasoned);
                called = false;
            } else if (role.equals("assistant")) {
                called |= message.has("tool_calls");
                if (!(message.get("reasoning_content") instanceof JsonString)) {
                    unreasoned.add(i);
                }
            }
            before = role;
        }
        reasoning(called, unreasoned);
        violations.require(
                !before.equals("assistant") || last.isTrue("prefix"),
                ViolationRule.LAST,
                "messages[" + (messages.size() - 1) + "]",
                "the last message not to be the assistant's",
                last.get("role"));
    }

    private void reasoning(boolean called, List<Integer> unreasoned) {
        if (called) {
            for (int i : unreasoned) {
                violations.add(
                        ViolationRule.REASONING,
                        "messages[" + i + "].reasoning_content",
                        "a text, though it be empty, where the turn calls tools",
                        null);
            }
        }
        unreasoned.clear();
    }
}
