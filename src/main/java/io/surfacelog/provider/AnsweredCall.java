package io.surfacelog.provider;

import io.surfacelog.event.ToolCallBlock;
import java.util.Optional;

/** A call of an assistant message, with the one result that is its own. */
record AnsweredCall(ToolCallBlock call, Optional<Answer> answer) {}
