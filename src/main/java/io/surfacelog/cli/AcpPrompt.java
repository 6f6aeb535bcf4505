package io.surfacelog.cli;

import io.surfacelog.agent.Agent;
import io.surfacelog.agent.QueuedInput;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.stream.SessionStream;
import io.surfacelog.stream.StreamRequest;
import io.surfacelog.stream.StreamSubscription;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One prompt: the turn that takes it is shown as it is committed, and its end settles it. Which turn that is the agent says,
 * so that nothing of another one can be taken for it.
 */
final class AcpPrompt {

    private final UserMessage message;
    private boolean cancelled;
    private @Nullable Agent asked;
    private @Nullable QueuedInput input;

    AcpPrompt(UserMessage message) {
        this.message = message;
    }

    UserMessage message() {
        return message;
    }

    synchronized boolean isCancelled() {
        return cancelled;
    }

    /**
     * Has it answered; waits for that.
     *
     * @param client takes the updates of the turn
     * @return the stop reason; all updates were taken before
     * @throws AcpException if the turn failed
     */
    String answer(Agent agent, SessionQueries queries, SessionStream stream, AcpUpdates client) {
        long from = queries.nextSeq(agent.id());
        Optional<QueuedInput> queued = ask(agent);
        if (queued.isEmpty()) {
            return AcpStop.CANCELLED;
        }
        try {
            long number = join(queued.get().turn());
            AcpTurn turn = new AcpTurn(number, from, client);
            return AcpStop.of(number, shown(turn, agent.id(), from, queued.get(), queries, stream));
        } catch (CancellationException e) {
            // taken back before a turn took it
            return AcpStop.CANCELLED;
        }
    }

    private static TurnEndReason shown(
            AcpTurn turn, SessionId id, long from, QueuedInput queued, SessionQueries queries, SessionStream stream) {
        try (StreamSubscription subscription =
                stream.subscribe(StreamRequest.of(id).fromSeq(from), turn::accept)) {
            CompletableFuture<TurnEndReason> unheard = subscription.ended().thenApply(closed -> {
                throw new IllegalStateException("the stream was closed before the turn ended");
            });
            CompletableFuture<TurnEndReason> unwritten = queued.outcome()
                    .handle((outcome, failure) -> {
                        if (failure != null) {
                            turn.lost(committed(queries, id), failure);
                        }
                        return outcome;
                    })
                    .thenCompose(outcome -> turn.end());
            return (TurnEndReason) join(CompletableFuture.anyOf(turn.end(), unheard, unwritten));
        }
    }

    /** How far the log goes; nothing more is waited for where it cannot be read. */
    private static long committed(SessionQueries queries, SessionId id) {
        try {
            return queries.nextSeq(id);
        } catch (RuntimeException e) {
            return 0;
        }
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private synchronized Optional<QueuedInput> ask(Agent agent) {
        if (cancelled) {
            return Optional.empty();
        }
        asked = agent;
        input = agent.followUp(message);
        return Optional.of(input);
    }

    /** Stops it, wherever it is: behind another one, in the agent's inbox, or in its turn. */
    void cancel() {
        Agent agent;
        QueuedInput queued;
        synchronized (this) {
            cancelled = true;
            agent = asked;
            queued = input;
        }
        if (agent != null && queued != null && !agent.discard(queued)) {
            agent.cancel();
        }
    }
}
