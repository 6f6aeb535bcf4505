package io.surfacelog.provider;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.ToolResultBlock;
import java.util.List;

/** A derived message by the part it plays; results that have a call stand with it. */
sealed interface Entry {

    /** Index of the derived message. */
    int message();

    /** What the model is told. */
    record Told(int message, List<Json> content) implements Entry {}

    /** A result whose call is not there, or has its result. */
    record Orphan(int message, ToolResultBlock result) implements Entry {}

    /** What the model said; its calls in the order of their blocks. */
    record Said(int message, List<ContentBlock> content, List<AnsweredCall> calls) implements Entry {}
}
