package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.SessionWrite;
import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive writes of one session, each planned on the one before, that the store takes as one: all of them or none.
 * Taken one by one, a later one might find the tail it expects although those before it were refused, because another
 * process has added as many events, and would stand on events it was not planned on.
 *
 * @param lane the lane of the session
 * @param writes one that creates or carries a key, since each such has an outcome of its own, or any number of others
 */
record StagedRun(SessionLane lane, List<PendingWrite> writes) {

    StagedRun {
        writes = List.copyOf(writes);
    }

    static boolean mayContinue(PendingWrite write) {
        return write.create() == null && write.key().isEmpty();
    }

    SessionWrite toStore() {
        PendingWrite first = writes.get(0);
        return new SessionWrite(
                lane.id,
                first.create(),
                first.change().before().nextSeq(),
                events(),
                first.key().orElse(null),
                SurfaceProjection.checkpointWith(
                                first.change().before(),
                                writes.get(writes.size() - 1).change().after())
                        .orElse(null));
    }

    List<SessionEvent> events() {
        if (writes.size() == 1) {
            return writes.get(0).change().events();
        }
        List<SessionEvent> events = new ArrayList<>();
        writes.forEach(write -> events.addAll(write.change().events()));
        return events;
    }
}
