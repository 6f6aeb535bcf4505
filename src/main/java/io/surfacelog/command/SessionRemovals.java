package io.surfacelog.command;

import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.ErasureIncompleteException;
import io.surfacelog.store.ErasureProof;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionRemoval;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Removes sessions from the store and from memory. What was queued for them finds nothing to be appended to and fails. */
final class SessionRemovals {

    private final EventStore store;
    private final SurfaceProjection projection;
    private final SessionLanes lanes;
    private final WriteQueue queue;

    SessionRemovals(EventStore store, SurfaceProjection projection, SessionLanes lanes, WriteQueue queue) {
        this.store = store;
        this.projection = projection;
        this.lanes = lanes;
        this.queue = queue;
    }

    SessionRemoval run(DeleteSession command) {
        SessionId id = command.session();
        try {
            return queue.alone(id, () -> store.delete(id));
        } finally {
            // whatever came of it, what is true now is in the store
            forget(List.of(id));
        }
    }

    ErasureProof run(EraseSession command) {
        SessionId id = command.session();
        try {
            ErasureProof proof = queue.alone(id, () -> store.erase(id, command.cascade()));
            forget(proof.sessions());
            return proof;
        } catch (ErasureIncompleteException e) {
            forget(e.sessions());
            throw e;
        } catch (RuntimeException e) {
            forget(List.of(id));
            throw e;
        }
    }

    private void forget(List<SessionId> removed) {
        for (SessionId id : removed) {
            projection.removed(id);
            CompletableFuture<Void> settled = lanes.in(id, SessionLane::settled);
            queue.commitUntil(settled);
            settled.join();
        }
    }
}
