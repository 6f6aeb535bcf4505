package io.surfacelog.provider;

/** The codes of {@link Adjustment#rule}; docs/providers.md says what each means. */
enum AdjustmentRule {
    MODEL_UNKNOWN("model.unknown"),
    MAX_TOKENS_DEFAULT("max-tokens.default"),
    CONFIG_CHANGED("config.changed"),
    CONFIG_LEFT_OUT("config.left-out"),
    SYSTEM_LEFT_OUT("system.left-out"),
    TOOLS_LEFT_OUT("tools.left-out"),
    TOOLS_SCHEMA("tools.schema"),
    TOOLS_STAND_IN("tools.stand-in"),
    NAME_MAPPED("name.mapped"),
    CALL_ID("call.id"),
    CALL_ARGUMENTS("call.arguments"),
    CALL_SPLIT("call.split"),
    RESULT_MISSING("result.missing"),
    RESULT_ORPHAN("result.orphan"),
    RESULT_MOVED("result.moved"),
    RESULT_EMPTY("result.empty"),
    MESSAGE_BLANK("message.blank"),
    MESSAGE_ROLE("message.role"),
    MESSAGE_MERGED("message.merged"),
    MESSAGE_FIRST("message.first"),
    MESSAGE_LAST("message.last"),
    BLOCK_AS_TEXT("block.as-text"),
    BLOCK_LEFT_OUT("block.left-out"),
    IMAGE_AS_TEXT("image.as-text"),
    IMAGE_MOVED("image.moved"),
    REASONING_LEFT_OUT("reasoning.left-out"),
    UNICODE_REPLACED("unicode.replaced");

    private final String code;

    AdjustmentRule(String code) {
        this.code = code;
    }

    String code() {
        return code;
    }
}
