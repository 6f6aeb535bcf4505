package io.surfacelog.agent;

import io.surfacelog.event.TurnEndReason;

/** What a step means for its turn. */
sealed interface StepEnding {

    /** The turn goes on with another step. */
    record GoesOn() implements StepEnding {}

    /** The turn ends for this reason. */
    record Ended(TurnEndReason reason) implements StepEnding {}

    /** The turn ends with this error. */
    record Failed(Throwable failure) implements StepEnding {}

    /** The turn ends as its cancellation says. */
    static StepEnding cancelled() {
        return new Ended(TurnEndReason.interrupted());
    }
}
