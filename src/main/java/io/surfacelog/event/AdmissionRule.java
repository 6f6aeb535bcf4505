package io.surfacelog.event;

import java.util.Locale;

/**
 * The rules an event, a header or a chunk row must pass before it is let in. Each has a stable {@link #code()}, which
 * exceptions, {@code check} and HTTP problems name; the rules themselves are described in {@code docs/format.md}.
 */
public enum AdmissionRule {
    JSON_SYNTAX("json.syntax"),
    JSON_LOSSLESS("json.lossless"),
    LIMIT_DEPTH("limit.depth"),
    LIMIT_EVENT_BYTES("limit.event-bytes"),
    ENVELOPE("envelope"),
    LEGACY_HEADER_DELTA("legacy.header-delta"),
    LEGACY_MODE_SET("legacy.mode-set"),
    LEGACY_HEADER_FALLBACK("legacy.header-fallback"),
    TYPE_UNDECLARED("type.undeclared"),
    REQHEADER_PROVIDER_MODEL("reqheader.provider-model"),
    REQHEADER_REASONING_EFFORT("reqheader.reasoning-effort"),
    REQHEADER_ADAPTER_DEFAULTS("reqheader.adapter-defaults"),
    MESSAGE_ID("message.id"),
    MESSAGE_ROLE("message.role"),
    MESSAGE_SOURCE("message.source"),
    MESSAGE_CONTENT("message.content"),
    MESSAGE_MODEL_SOURCE("message.model-source"),
    MESSAGE_TOOL_SOURCE("message.tool-source"),
    MESSAGE_TOOL_BLOCK("message.tool-block"),
    MESSAGE_TOOL_CALL_ID("message.tool-call-id"),
    PAYLOAD_SHAPE("payload.shape"),
    SEQ_CONTIGUOUS("seq.contiguous"),
    SURFACE_OP_NOT_ALLOWED("surface.op-not-allowed"),
    SURFACE_SOURCES_NOT_ALLOWED("surface.sources-not-allowed"),
    SURFACE_OP_MISSING("surface.op-missing"),
    SURFACE_OP_BAD("surface.op-bad"),
    SURFACE_OP_BAD_REPLACE("surface.op-bad-replace"),
    REPLACE_START_ABSENT("replace.start-absent"),
    REPLACE_END_ABSENT("replace.end-absent"),
    REPLACE_ORDER("replace.order"),
    SOURCES_NOT_ARRAY("sources.not-array"),
    SOURCES_EMPTY("sources.empty"),
    SOURCES_BAD_SEQ("sources.bad-seq"),
    SOURCES_DUPLICATE("sources.duplicate"),
    SOURCES_NOT_EARLIER("sources.not-earlier"),
    SOURCES_MISSING_SHADOWED("sources.missing-shadowed"),
    REWRITE_ONE_NODE("rewrite.one-node"),
    REWRITE_TARGET("rewrite.target"),
    REWRITE_CONTENT_ONLY("rewrite.content-only"),
    HEAD_RECORD("head.record"),
    HEAD_VERSION("head.version"),
    HEAD_ID("head.id"),
    HEAD_CREATED_AT("head.created-at"),
    HEAD_CWD("head.cwd"),
    HEAD_PARENT("head.parent"),
    HEAD_SEED_LENGTH("head.seed-length"),
    HEAD_DEPTH("head.depth"),
    HEAD_ORIGIN("head.origin"),
    HEAD_PRESET("head.preset"),
    HEAD_RETIRED("head.retired"),
    FILE_FRAME("file.frame"),
    ROW_ENVELOPE("row.envelope"),
    ROW_SEQ0("row.seq0"),
    ROW_TIME0("row.time0"),
    ROW_DATA("row.data"),
    ROW_DATA_KEYS("row.data-keys"),
    ROW_CALL_ID("row.call-id"),
    ROW_PLACE("row.place"),
    ROW_MEMBERS("row.members"),
    ROW_DT("row.dt"),
    ROW_DT_LENGTH("row.dt-length"),
    ROW_SEQ_RANGE("row.seq-range"),
    ROW_TIME_RANGE("row.time-range");

    private final String code;

    AdmissionRule(String code) {
        this.code = code;
    }

    /** The stable code of the rule, for example {@code surface.op-missing}. */
    public String code() {
        return code;
    }

    /**
     * The rule of a code.
     *
     * @throws IllegalArgumentException if there is no such rule
     */
    public static AdmissionRule ofCode(String code) {
        for (AdmissionRule rule : values()) {
            if (rule.code.equals(code)) {
                return rule;
            }
        }
        throw new IllegalArgumentException(String.format(Locale.ROOT, "there is no admission rule \"%s\"", code));
    }
}
