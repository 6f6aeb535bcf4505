package io.surfacelog.command;

import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeaseRequest;
import io.surfacelog.store.StoredLease;
import io.surfacelog.surface.SurfaceChange;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out from the store what became of the taking of a lease that failed: a fault may have come before the commit or after it. */
final class LeaseFate {

    private final EventStore store;
    private final Throwable cause;

    LeaseFate(EventStore store, Throwable cause) {
        this.store = store;
        this.cause = cause;
    }

    /**
     * The lease, if it was taken; empty if it was not, or if there is nothing that tells and nothing that matters.
     *
     * @throws OutcomeUnknownException if the store cannot be read, and closers may be stored
     */
    Optional<StoredLease> of(LeaseRequest request, SessionLane lane, @Nullable SurfaceChange closers) {
        if (closers != null) {
            StagedRun run = new StagedRun(lane, List.of(PendingWrite.here(lane, closers)));
            switch (new CommitFate(store, cause).of(run)) {
                case STORED -> {
                    // closers are the same whoever writes them: the holder tells whose these are
                }
                case NOT_STORED -> {
                    return Optional.empty();
                }
                case UNKNOWN -> throw new OutcomeUnknownException(lane.id, run.firstSeq(), run.nextSeq(), cause);
            }
        } else if (request.holder() == null) {
            return Optional.empty();
        }
        try {
            return store.lease(lane.id, request.purpose())
                    .filter(lease ->
                            request.holder() == null || request.holder().equals(lease.holder()));
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
            return Optional.empty();
        }
    }
}
