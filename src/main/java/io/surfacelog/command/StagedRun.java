package io.surfacelog.command;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.KeyedAppend;
import io.surfacelog.store.LeaseToken;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.surface.SurfaceChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Consecutive writes of one session, each planned on the one before, that the store takes as one: all of them or none.
 * Taken one by one, a later one might find the tail it expects although those before it were refused, because another
 * process has added as many events, and would stand on events it was not planned on.
 *
 * @param lane the lane of the session
 * @param writes one that creates, or any number of others, all under one lease or under none
 */
record StagedRun(SessionLane lane, List<PendingWrite> writes) {

    StagedRun {
        writes = List.copyOf(writes);
    }

    /** Whether the write may stand in one run with this one, which stands first. */
    static boolean mayContinue(PendingWrite first, PendingWrite write) {
        return first.create() == null
                && write.create() == null
                && first.leaseToken().equals(write.leaseToken());
    }

    SessionWrite toStore() {
        StoredCheckpoint checkpoint = SurfaceProjection.checkpointWith(
                        first().change().before(),
                        writes.get(writes.size() - 1).change().after())
                .orElse(null);
        return new SessionWrite(
                lane.id,
                first().create(),
                null,
                firstSeq(),
                events(),
                keys(),
                checkpoint,
                leaseToken().orElse(null));
    }

    /** The token of the lease it is made under; empty for plain writes. */
    Optional<LeaseToken> leaseToken() {
        return first().leaseToken();
    }

    private PendingWrite first() {
        return writes.get(0);
    }

    /** Seq of the first event. */
    long firstSeq() {
        return first().change().before().nextSeq();
    }

    /** The tail after the run. */
    long nextSeq() {
        return writes.get(writes.size() - 1).change().after().nextSeq();
    }

    Map<String, KeyedAppend> keys() {
        Map<String, KeyedAppend> keys = new LinkedHashMap<>();
        for (PendingWrite write : writes) {
            SurfaceChange change = write.change();
            write.key()
                    .ifPresent(key -> keys.put(
                            key,
                            new KeyedAppend(
                                    change.before().nextSeq(), change.events().size())));
        }
        return keys;
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
