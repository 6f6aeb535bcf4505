package io.surfacelog.provider;

/**
 * Something a provider would refuse.
 *
 * @param rule the rule, a stable code as {@code pair.result-missing}
 * @param at where in the request, as {@code messages[3].tool_calls[0].id}
 * @param message a sentence: what was expected and what was found
 */
public record Violation(String rule, String at, String message) {}
