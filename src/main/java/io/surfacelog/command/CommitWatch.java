package io.surfacelog.command;

import io.surfacelog.command.WriterStatus.FailedCommit;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.WriteOutcome;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what can be seen of the transactions from outside, and tells the observer. Told by the leading thread only, read by
 * any.
 */
final class CommitWatch {

    private static final long NEVER = Long.MIN_VALUE;

    /** A transaction under way. */
    private record Began(long nanos) {}

    private final CommandObserver observer;
    private final Clock clock;
    private volatile @Nullable Began began;
    private volatile long lastCommitAt = NEVER;
    private volatile @Nullable FailedCommit lastFailure;

    CommitWatch(CommandObserver observer, Clock clock) {
        this.observer = observer;
        this.clock = clock;
    }

    void begins() {
        began = new Began(System.nanoTime());
    }

    void fails(Throwable cause) {
        Optional<StoreUnavailableException.Reason> reason = cause instanceof StoreUnavailableException unavailable
                ? Optional.of(unavailable.reason())
                : Optional.empty();
        lastFailure = new FailedCommit(clock.millis(), reason, String.valueOf(cause.getMessage()));
        began = null;
    }

    /** The transaction is durable. */
    void ends(List<StagedRun> runs, List<WriteOutcome> outcomes) {
        Began since = began;
        began = null;
        lastCommitAt = clock.millis();
        lastFailure = null;
        if (observer != CommandObserver.NONE && since != null) {
            tell(runs, outcomes, since.nanos(), System.nanoTime());
        }
    }

    private void tell(List<StagedRun> runs, List<WriteOutcome> outcomes, long from, long to) {
        int writes = 0;
        List<SessionEvent> events = new ArrayList<>();
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < Math.min(runs.size(), outcomes.size()); i++) {
            if (outcomes.get(i) instanceof WriteOutcome.Committed) {
                StagedRun run = runs.get(i);
                writes += run.writes().size();
                events.addAll(run.events());
                run.writes().forEach(write -> waits.add(Duration.ofNanos(Math.max(0, from - write.plannedNanos()))));
            }
        }
        if (writes > 0) {
            observer.committed(new CommitGroup(writes, events, waits, Duration.ofNanos(to - from)));
        }
    }

    Optional<Duration> committingFor() {
        Began since = began;
        return since == null ? Optional.empty() : Optional.of(Duration.ofNanos(System.nanoTime() - since.nanos()));
    }

    OptionalLong lastCommitAt() {
        long at = lastCommitAt;
        return at == NEVER ? OptionalLong.empty() : OptionalLong.of(at);
    }

    Optional<FailedCommit> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }
}
