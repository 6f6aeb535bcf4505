package io.surfacelog.agent;

import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.Message;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.SurfacePayload;
import io.surfacelog.event.UserMessage;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * Input that was given to an agent, and what becomes of it. It lives in memory only: what is not claimed when the process
 * ends was never in the log. Safe for use by several threads.
 */
public final class QueuedInput {

    /** How it joins. */
    public enum Kind {
        /** Begins a turn of its own. */
        FOLLOW_UP,
        /** Joins the running turn before its next step. */
        STEERING,
        /** Joins before the next step, whichever turn that is in. */
        CONTEXT
    }

    private final Kind kind;
    private final SurfacePayload payload;
    private final CompletableFuture<Long> turn = new CompletableFuture<>();
    private final CompletableFuture<TurnOutcome> outcome = new CompletableFuture<>();

    private QueuedInput(Kind kind, SurfacePayload payload) {
        this.kind = kind;
        this.payload = payload;
    }

    static QueuedInput of(UserMessage message) {
        return new QueuedInput(Kind.FOLLOW_UP, message);
    }

    static QueuedInput of(SteeringMessage message) {
        return new QueuedInput(Kind.STEERING, message);
    }

    static QueuedInput of(ContextMessage message) {
        return new QueuedInput(Kind.CONTEXT, message);
    }

    public Kind kind() {
        return kind;
    }

    public Message message() {
        return payload.message();
    }

    SurfacePayload payload() {
        return payload;
    }

    /**
     * The number of the turn that took it, once its {@code turn/start} is committed or it has joined the turn; cancelled if it
     * is discarded. Completes on a thread of its own.
     */
    public CompletableFuture<Long> turn() {
        return turn.copy();
    }

    /**
     * How the turn that took it ended, once its {@code turn/end} is committed; cancelled if it is discarded, and failed with
     * what kept the log from being written. Completes on a thread of its own.
     */
    public CompletableFuture<TurnOutcome> outcome() {
        return outcome.copy();
    }

    void claimedBy(long number, AgentThreads threads) {
        turn.completeAsync(() -> number, threads.executor());
    }

    void ended(TurnOutcome how, AgentThreads threads) {
        outcome.completeAsync(() -> how, threads.executor());
    }

    void failed(Throwable failure, AgentThreads threads) {
        threads.executor().execute(() -> {
            turn.completeExceptionally(failure);
            outcome.completeExceptionally(failure);
        });
    }

    void discarded(AgentThreads threads) {
        failed(new CancellationException("the input was discarded before a turn took it"), threads);
    }

    @Override
    public String toString() {
        return kind + " " + payload.message().text();
    }
}
