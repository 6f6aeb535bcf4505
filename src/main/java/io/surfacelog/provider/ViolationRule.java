package io.surfacelog.provider;

/** The codes of {@link Violation#rule}; docs/providers.md says what each means. */
enum ViolationRule {
    MODEL("request.model"),
    MAX_TOKENS("request.max-tokens"),
    TEMPERATURE("request.temperature"),
    STOP("request.stop"),
    EFFORT("request.reasoning-effort"),
    SYSTEM("request.system"),
    MESSAGES("request.messages"),
    TOOLS("tools.list"),
    TOOL_NAME("tools.name"),
    TOOL_NAME_TWICE("tools.name-twice"),
    TOOL_SCHEMA("tools.schema"),
    TOOLS_UNDEFINED("tools.undefined"),
    ROLE("message.role"),
    FIRST("order.first"),
    LAST("order.last"),
    ALTERNATION("order.alternation"),
    CONTENT("content.shape"),
    EMPTY("content.empty"),
    BLOCK("content.block"),
    IMAGE("content.image"),
    CALL("call.shape"),
    CALL_ID("call.id"),
    CALL_ID_TWICE("call.id-twice"),
    CALL_NAME("call.name"),
    CALL_ARGUMENTS("call.arguments"),
    CALLS_TOO_MANY("call.too-many"),
    RESULT_MISSING("pair.result-missing"),
    RESULT_UNKNOWN("pair.result-unknown"),
    RESULT_TWICE("pair.result-twice"),
    RESULT_PLACE("pair.result-place"),
    REASONING("reasoning.missing"),
    THINKING("reasoning.thinking"),
    UNICODE("unicode.lone-surrogate");

    private final String code;

    ViolationRule(String code) {
        this.code = code;
    }

    String code() {
        return code;
    }
}
