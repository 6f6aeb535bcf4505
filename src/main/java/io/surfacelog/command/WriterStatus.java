package io.surfacelog.command;

import io.surfacelog.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How writing goes in this process.
 *
 * @param queuedWrites writes that wait to be committed
 * @param queuedBytes bytes of what is planned and not settled
 * @param maxQueuedBytes how many there may be
 * @param waitingForRoom writes that wait to be let in
 * @param committingFor how long the transaction that is under way has been, empty while there is none
 * @param lastCommitAt when the newest transaction of the queue was committed, Unix epoch milliseconds
 * @param lastFailure how the newest transaction failed, empty if it was committed
 */
public record WriterStatus(
        int queuedWrites,
        long queuedBytes,
        long maxQueuedBytes,
        int waitingForRoom,
        Optional<Duration> committingFor,
        OptionalLong lastCommitAt,
        Optional<FailedCommit> lastFailure) {

    /** Whether a write would have to wait for room now. */
    public boolean isFull() {
        return waitingForRoom > 0 || queuedBytes >= maxQueuedBytes;
    }

    /**
     * A transaction that failed.
     *
     * @param at when, Unix epoch milliseconds
     * @param reason why, where the store could say
     * @param message what the store said
     */
    public record FailedCommit(long at, Optional<StoreUnavailableException.Reason> reason, String message) {}
}
