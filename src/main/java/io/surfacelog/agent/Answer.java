package io.surfacelog.agent;

import io.surfacelog.event.Message;
import io.surfacelog.model.FinishReason;

/** What came of asking the model in a step. */
sealed interface Answer {

    /** It has answered; recorded. */
    record Given(Message message, FinishReason finish) implements Answer {}

    /** There is no answer. */
    record None(StepEnding ending) implements Answer {}
}
