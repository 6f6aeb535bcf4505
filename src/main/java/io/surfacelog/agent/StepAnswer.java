package io.surfacelog.agent;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.SessionId;
import io.surfacelog.model.FinishReason;
import io.surfacelog.model.ModelCall;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ModelInterceptor;
import io.surfacelog.model.ModelPort;
import io.surfacelog.projection.ModelRequest;
import io.surfacelog.surface.Surface;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Has one step answered: derives the request, asks, and asks again where that may help. Each attempt's request is what its
 * place in the log says; an attempt whose session was changed by somebody else before the first chunk is made anew.
 */
final class StepAnswer {

    /** How often others may change the session between a request and its first chunk. */
    private static final int MAX_OVERTAKEN = 8;

    private final AgentLoop loop;
    private final RecordedTurn turn;
    private final RecordedStep step;
    private final Cancellation cancellation;
    private final Supplier<Optional<StepEnding>> onOverflow;

    private int attempts;
    private int failed;
    private int overtaken;
    private boolean overflowed;

    StepAnswer(
            AgentLoop loop,
            RecordedTurn turn,
            RecordedStep step,
            Cancellation cancellation,
            Supplier<Optional<StepEnding>> onOverflow) {
        this.loop = loop;
        this.turn = turn;
        this.step = step;
        this.cancellation = cancellation;
        this.onOverflow = onOverflow;
    }

    Answer get() {
        while (true) {
            if (cancellation.isCancelled()) {
                return new Answer.None(StepEnding.cancelled());
            }
            Optional<Answer> answer = attempt();
            if (answer.isPresent()) {
                return answer.get();
            }
        }
    }

    /** Empty if another attempt is to be made. */
    private Optional<Answer> attempt() {
        loop.recorder().flush();
        SessionId id = loop.agent().id();
        Surface surface = loop.queries().surface(id);
        ModelRequest request = new ModelRequest(surface.requestHeader(), surface.requestContext(), surface.messages());
        ModelCall call = new ModelCall(id, turn.number(), step.number(), ++attempts, request);
        RecordedAttempt recorded = step.attempt(surface);
        AgentProfile profile = loop.agent().profile();
        try {
            ModelPort port =
                    ModelInterceptor.around(profile.port(), loop.hooks().models());
            ModelAttempt.Result result =
                    new ModelAttempt(port, call, recorded, profile.idleTimeout()).run(loop.threads(), cancellation);
            Optional<RequestOvertakenException> refused = recorded.overtaken();
            if (refused.isPresent()) {
                // cancelled, or given up, while its first chunk was refused: there is nothing to end
                return afterOvertaken(refused.get());
            }
            if (result instanceof ModelAttempt.Failed unsuccessful) {
                return afterFailure(recorded, unsuccessful.failure(), surface);
            }
            if (result instanceof ModelAttempt.Cancelled) {
                recorded.interrupted();
                return Optional.of(new Answer.None(StepEnding.cancelled()));
            }
            return Optional.of(completed(recorded, ((ModelAttempt.Finished) result).reason()));
        } catch (RequestOvertakenException e) {
            return afterOvertaken(e);
        }
    }

    private Optional<Answer> afterOvertaken(RequestOvertakenException refused) {
        return ++overtaken > MAX_OVERTAKEN && !cancellation.isCancelled()
                ? Optional.of(new Answer.None(new StepEnding.Failed(refused)))
                : Optional.empty();
    }

    private static Answer completed(RecordedAttempt recorded, FinishReason reason) {
        try {
            return new Answer.Given(recorded.complete().message(), reason);
        } catch (AdmissionException e) {
            ModelException failure = ModelAttempt.refused("ANSWER_REFUSED", "the answer of the model", e);
            recorded.failed(failure);
            return new Answer.None(new StepEnding.Failed(failure));
        }
    }

    private Optional<Answer> afterFailure(RecordedAttempt recorded, ModelException failure, Surface asked) {
        failed++;
        if (failure.kind() == ModelException.Kind.CONTEXT_OVERFLOW && !overflowed) {
            overflowed = true;
            recorded.failed(failure, Duration.ZERO);
            Optional<StepEnding> stopped = onOverflow.get();
            if (stopped.isPresent()) {
                return stopped.map(Answer.None::new);
            }
            boolean shorter = loop.queries().surface(loop.agent().id()).generation() != asked.generation();
            return shorter ? Optional.empty() : Optional.of(new Answer.None(new StepEnding.Failed(failure)));
        }
        Optional<Duration> delay = loop.agent().profile().retries().delay(failure, failed);
        if (delay.isEmpty()) {
            recorded.failed(failure);
            return Optional.of(new Answer.None(new StepEnding.Failed(failure)));
        }
        recorded.failed(failure, delay.get());
        cancellation.pause(delay.get());
        return Optional.empty();
    }
}
