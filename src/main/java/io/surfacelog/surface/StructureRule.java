package io.surfacelog.surface;

import java.util.Arrays;
import java.util.Optional;

/** The rules of the second verdict: are turns, steps and tool calls well formed (format, section 10). */
public enum StructureRule {
    TURN_NOT_OPEN("turn.not-open"),
    TURN_ALREADY_OPEN("turn.already-open"),
    TURN_NUMBER("turn.number"),
    TURN_END_MISMATCH("turn.end-mismatch"),
    STEP_NOT_OPEN("step.not-open"),
    STEP_ALREADY_OPEN("step.already-open"),
    STEP_NUMBER("step.number"),
    STEP_OPEN_AT_TURN_END("step.open-at-turn-end"),
    CALL_UNANSWERED_AT_STEP_END("call.unanswered-at-step-end"),
    CALL_RESULT_WITHOUT_CALL("call.result-without-call"),
    CALL_ANSWERED_TWICE("call.answered-twice"),
    CALL_ID_EMPTY("call.id-empty"),
    CALL_ID_REUSED_IN_STEP("call.id-reused-in-step"),
    PAIR_SPLIT_BY_REPLACE("pair.split-by-replace"),
    BRACKET_SECOND_COMPACTION("bracket.second-compaction");

    private final String code;

    StructureRule(String code) {
        this.code = code;
    }

    /** The rule of this code, empty for none of this version. */
    static Optional<StructureRule> ofCode(String code) {
        return Arrays.stream(values()).filter(rule -> rule.code.equals(code)).findFirst();
    }

    /** The stable code of the rule, for example {@code step.not-open}. */
    public String code() {
        return code;
    }
}
