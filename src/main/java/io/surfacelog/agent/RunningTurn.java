package io.surfacelog.agent;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One turn of an agent, from the input that began it to its end. Everything is durable before the model is asked, before a
 * tool runs, and between steps.
 */
final class RunningTurn {

    private static final TurnEndReason STEP_LIMIT = TurnEndReason.ofKind("step-limit");
    private static final TurnEndReason FILTERED = TurnEndReason.ofKind("content-filter");

    private static final ToolError CUT_OFF = new ToolError("ToolCallCutOffError", "TOOL_CALL_CUT_OFF");
    private static final String CUT_OFF_TEXT =
            "The answer that holds this call was cut off, so the call may not be whole. It was not started.";

    private final AgentLoop loop;
    private final Cancellation cancellation;
    private final List<QueuedInput> joined = new ArrayList<>();

    RunningTurn(AgentLoop loop, Cancellation cancellation) {
        this.loop = loop;
        this.cancellation = cancellation;
    }

    void run(QueuedInput first) {
        joined.add(first);
        loop.notifications().send(new AgentQueued(loop.agent(), AgentQueued.Change.CLAIMED, first));
        try (RecordedTurn turn = loop.recorder().startTurn()) {
            first.claimedBy(turn.number(), loop.threads());
            TurnOutcome outcome = end(turn, ending(turn, first));
            joined.forEach(input -> input.ended(outcome, loop.threads()));
        } catch (Throwable e) {
            joined.forEach(input -> input.failed(e, loop.threads()));
            throw e;
        }
    }

    /** A cancellation that comes before the end is decided decides it. */
    private TurnOutcome end(RecordedTurn turn, StepEnding ending) {
        TurnEndReason planned;
        if (ending instanceof StepEnding.Failed failed) {
            planned = TurnFault.of(failed.failure()).reason();
        } else {
            planned = ending instanceof StepEnding.Ended ended ? ended.reason() : TurnEndReason.interrupted();
        }
        return turn.end(cancellation.settle(planned));
    }

    private StepEnding ending(RecordedTurn turn, QueuedInput first) {
        Optional<String> blocked = reasonToBlock(first);
        if (blocked.isPresent()) {
            return new StepEnding.Ended(TurnEndReason.blocked());
        }
        try {
            append(turn, first.payload());
        } catch (AdmissionException e) {
            return new StepEnding.Failed(e);
        }
        for (int step = 1; step <= loop.agent().profile().maxSteps(); step++) {
            StepEnding ending = step(turn);
            loop.recorder().flush();
            if (cancellation.isCancelled() || ending instanceof StepEnding.Failed) {
                return ending;
            }
            if (ending instanceof StepEnding.Ended ended
                    && !(ended.reason().kind().equals(TurnEndReason.COMPLETED)
                            && loop.inbox().hasSteering())) {
                return ending;
            }
        }
        return new StepEnding.Ended(STEP_LIMIT);
    }

    private StepEnding step(RecordedTurn turn) {
        try (RecordedStep step = turn.startStep()) {
            StepEnding ending = withinStep(turn, step);
            step.end();
            return ending;
        }
    }

    private StepEnding withinStep(RecordedTurn turn, RecordedStep step) {
        joinQueued(turn);
        Optional<StepEnding> stopped = prepare(turn, step, UpcomingStep.Cause.REQUEST);
        if (stopped.isPresent()) {
            return stopped.get();
        }
        AgentProfile profile = loop.agent().profile();
        try {
            step.header(profile.header());
            step.context(profile.requestContext());
        } catch (AdmissionException e) {
            return new StepEnding.Failed(e);
        }
        StepAnswer answer = new StepAnswer(loop, turn, step, cancellation, () -> overflowed(turn, step));
        Answer given = answer.get();
        if (given instanceof Answer.None none) {
            return none.ending();
        }
        return act(step, (Answer.Given) given);
    }

    /** Runs what the model asks for; the answer that asks for nothing is the last one. */
    private StepEnding act(RecordedStep step, Answer.Given answer) {
        List<ToolCallBlock> calls = answer.message().toolCalls();
        switch (answer.finish()) {
            case MAX_TOKENS -> {
                calls.forEach(call -> step.notStarted(call, CUT_OFF, CUT_OFF_TEXT));
                return new StepEnding.Ended(TurnEndReason.maxTokens());
            }
            case CONTENT_FILTER -> {
                calls.forEach(call -> step.notStarted(call, CUT_OFF, CUT_OFF_TEXT));
                return new StepEnding.Ended(FILTERED);
            }
            default -> {
                if (calls.isEmpty()) {
                    return new StepEnding.Ended(TurnEndReason.completed());
                }
                new ToolRuns(loop, cancellation).run(step, calls);
                return new StepEnding.GoesOn();
            }
        }
    }

    /** One after the other, so that all are still in the inbox behind one that cannot be written; not those that come now. */
    private void joinQueued(RecordedTurn turn) {
        for (int left = loop.inbox().waitingForStep(); left > 0; left--) {
            loop.inbox().claimForStep().ifPresent(input -> join(turn, input));
        }
    }

    private void join(RecordedTurn turn, QueuedInput input) {
        Optional<String> blocked = reasonToBlock(input);
        if (blocked.isPresent()) {
            turnAway(input, new InputBlockedException(blocked.get()));
            return;
        }
        joined.add(input);
        try {
            append(turn, input.payload());
        } catch (AdmissionException e) {
            joined.remove(input);
            turnAway(input, e);
            return;
        }
        loop.notifications().send(new AgentQueued(loop.agent(), AgentQueued.Change.CLAIMED, input));
        input.claimedBy(turn.number(), loop.threads());
    }

    private void turnAway(QueuedInput input, RuntimeException why) {
        input.failed(why, loop.threads());
        loop.notifications().send(new AgentQueued(loop.agent(), AgentQueued.Change.DISCARDED, input));
    }

    private static void append(RecordedTurn turn, SurfacePayload payload) {
        if (payload instanceof UserMessage message) {
            turn.user(message);
        } else if (payload instanceof SteeringMessage message) {
            turn.steering(message);
        } else if (payload instanceof ContextMessage message) {
            turn.context(message);
        } else {
            throw new IllegalArgumentException("expected a user-role message, found " + payload.type());
        }
    }

    private Optional<String> reasonToBlock(QueuedInput input) {
        try {
            for (InputCheck check : loop.hooks().inputChecks()) {
                Optional<String> reason = check.reasonToBlock(loop.agent(), input.message());
                if (reason.isPresent()) {
                    return reason;
                }
            }
            return Optional.empty();
        } catch (Throwable e) {
            loop.notifications().send(new AgentError(loop.agent(), e));
            return Optional.of("the check of the input failed: " + TurnFault.chain(e));
        }
    }

    /** Asks those who act before a request; what they append has to be in it. */
    private Optional<StepEnding> prepare(RecordedTurn turn, RecordedStep step, UpcomingStep.Cause cause) {
        try {
            List<ContextItem> items = new ArrayList<>();
            for (ContextProvider provider : loop.hooks().context()) {
                items.addAll(provider.items(loop.agent(), loop.queries()));
            }
            loop.workspace()
                    .missing(loop.queries().surface(loop.agent().id()), items)
                    .forEach(turn::context);
            for (BeforeStep hook : loop.hooks().beforeStep()) {
                if (cancellation.isCancelled()) {
                    break;
                }
                UpcomingStep upcoming = new UpcomingStep(
                        loop.agent(), loop.driver(), loop.queries(), turn.number(), step.number(), cause, cancellation);
                hook.beforeStep(upcoming);
                if (upcoming.stopped().isPresent()) {
                    return Optional.of(new StepEnding.Ended(
                            TurnEndReason.abortedByHook(upcoming.stopped().get())));
                }
            }
        } catch (Throwable e) {
            // whatever it is: a hook ends its turn, not the agent, unless the log cannot be written either
            loop.notifications().send(new AgentError(loop.agent(), e));
            return Optional.of(new StepEnding.Failed(e));
        }
        return cancellation.isCancelled() ? Optional.of(StepEnding.cancelled()) : Optional.empty();
    }

    private Optional<StepEnding> overflowed(RecordedTurn turn, RecordedStep step) {
        return prepare(turn, step, UpcomingStep.Cause.CONTEXT_OVERFLOW);
    }
}
