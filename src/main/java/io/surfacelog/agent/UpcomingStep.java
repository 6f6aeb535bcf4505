package io.surfacelog.agent;

import io.surfacelog.command.DriverLease;
import io.surfacelog.projection.SessionQueries;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A step whose request is about to be derived. For the thread that is given it, while it is called. */
public final class UpcomingStep {

    /** Why the hook is called. */
    public enum Cause {
        /** A model call comes next. */
        REQUEST,
        /**
         * The model has refused the request since it is too long. If the surface is another one afterwards, it is asked once
         * more.
         */
        CONTEXT_OVERFLOW
    }

    private final Agent agent;
    private final DriverLease driver;
    private final SessionQueries queries;
    private final long turn;
    private final long step;
    private final Cause cause;
    private final Cancellation cancellation;
    private @Nullable String stopped;

    UpcomingStep(
            Agent agent,
            DriverLease driver,
            SessionQueries queries,
            long turn,
            long step,
            Cause cause,
            Cancellation cancellation) {
        this.agent = agent;
        this.driver = driver;
        this.queries = queries;
        this.turn = turn;
        this.step = step;
        this.cause = cause;
        this.cancellation = cancellation;
    }

    public Agent agent() {
        return agent;
    }

    /** What to append with: the agent's own right to drive the session. Not to be closed. */
    public DriverLease driver() {
        return driver;
    }

    /** Where the session stands; shows what was appended before. */
    public SessionQueries queries() {
        return queries;
    }

    public long turn() {
        return turn;
    }

    /** The step, which is open. */
    public long step() {
        return step;
    }

    public Cause cause() {
        return cause;
    }

    /** Whether the turn was cancelled, so that there will be no request. */
    public boolean isCancelled() {
        return cancellation.isCancelled();
    }

    /** Ends the turn, {@code aborted} by a hook for this reason, instead of asking the model. */
    public void stop(String reason) {
        stopped = reason;
    }

    Optional<String> stopped() {
        return Optional.ofNullable(stopped);
    }
}
