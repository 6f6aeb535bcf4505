package io.surfacelog.agent;

import io.surfacelog.event.TurnEndReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Whether a turn was cancelled, and how it is to end then; the first one to say so is heard. */
final class Cancellation {

    private final CompletableFuture<TurnEndReason> reason = new CompletableFuture<>();

    boolean cancel(TurnEndReason how) {
        return reason.complete(how);
    }

    /**
     * Ends the time in which the turn can be cancelled.
     *
     * @return how it is to end: this way, unless it was cancelled before
     */
    TurnEndReason settle(TurnEndReason planned) {
        reason.complete(planned);
        return reason.join();
    }

    boolean isCancelled() {
        return reason.isDone();
    }

    Optional<TurnEndReason> reason() {
        return Optional.ofNullable(reason.getNow(null));
    }

    /** Runs this when the turn is cancelled, at once if it was. */
    void whenCancelled(Runnable action) {
        CompletableFuture<Void> unused = reason.thenRun(action);
    }

    /** Waits for so long, or until the turn is cancelled. */
    void pause(Duration time) {
        try {
            reason.get(TimeUnit.NANOSECONDS.convert(time), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // the pause is over
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a reason never fails", e);
        } catch (InterruptedException e) {
            // the thread belongs to the loop: whoever ends it cancels
            Thread.currentThread().interrupt();
        }
    }
}
