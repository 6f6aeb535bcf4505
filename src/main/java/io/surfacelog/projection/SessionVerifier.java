package io.surfacelog.projection;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreFault;
import io.surfacelog.store.StoredCheckpoint;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceCheckpoint;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import io.surfacelog.surface.UnreadableCheckpointException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Verifies sessions: every row as it was written, every event as admission would let it in now, checkpoint and live
 * surface as a fold from the first event gives them. Verifying changes no log and repairs nothing; {@link #rebuild} makes
 * a new checkpoint. Safe for use by several threads.
 */
public final class SessionVerifier {

    private static final String CHECKPOINT = "checkpoint";

    private final EventStore store;
    private final SurfaceProjection projection;

    public SessionVerifier(EventStore store, SurfaceProjection projection) {
        this.store = store;
        this.projection = projection;
    }

    /**
     * Verifies one session. Cost: O(log), twice.
     *
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     */
    public VerifyReport verify(SessionId id) {
        List<StoreFault> faults = new ArrayList<>(store.verify(id));
        Optional<StoredCheckpoint> checkpoint = checkpoint(id, faults);
        SurfacePlanner planner = planner();
        try {
            checkpoint
                    .filter(stored -> stored.nextSeq() == 0)
                    .ifPresent(stored -> compare(id, stored, planner, faults));
            store.forEach(id, EventRange.all(), event -> {
                planner.fold(EventCandidate.of(event));
                checkpoint
                        .filter(stored -> stored.nextSeq() == planner.nextSeq())
                        .ifPresent(stored -> compare(id, stored, planner, faults));
            });
            checkpoint
                    .filter(stored -> stored.nextSeq() > planner.nextSeq())
                    .ifPresent(stored -> faults.add(checkpointFault(
                            id, "a checkpoint within the log of " + planner.nextSeq() + " events", stored)));
            compareWithLive(id, planner.surface(), faults);
        } catch (DamagedStoreException e) {
            addOnce(e.fault(), faults);
        } catch (AdmissionException e) {
            faults.add(new StoreFault(
                    id, e.at(), "event", "not admissible: " + e.rule().code() + ": " + e.detail()));
        }
        Surface folded = planner.surface();
        return new VerifyReport(id, folded.nextSeq(), faults, folded.findings());
    }

    /** Verifies what belongs to no single session. Cost: O(commits). */
    public List<StoreFault> verifyShared() {
        return store.verifyShared();
    }

    /**
     * Throws the checkpoints of a session away and makes a new one, by a fold of its whole log. Cost: O(log).
     *
     * @return after how many events it is; empty if the store has not kept it
     * @throws io.surfacelog.store.UnknownSessionException if there is no such session
     * @throws DamagedStoreException if the log cannot be read as it was written; checkpoints are then left as they are
     */
    public OptionalLong rebuild(SessionId id) {
        SurfacePlanner planner = planner();
        try {
            store.forEach(id, EventRange.all(), event -> planner.fold(EventCandidate.of(event)));
        } catch (AdmissionException e) {
            throw StoredFold.refused(id, e);
        }
        Surface folded = planner.surface();
        return projection.replaceCheckpoint(id, folded) ? OptionalLong.of(folded.nextSeq()) : OptionalLong.empty();
    }

    private SurfacePlanner planner() {
        projection.refreshTypes();
        return Surface.empty().planner(new SurfaceRules(projection.types(), StructureMode.REPORT));
    }

    private Optional<StoredCheckpoint> checkpoint(SessionId id, List<StoreFault> faults) {
        try {
            return store.checkpoint(id);
        } catch (DamagedStoreException e) {
            addOnce(e.fault(), faults);
            return Optional.empty();
        }
    }

    private static void addOnce(StoreFault fault, List<StoreFault> faults) {
        if (!faults.contains(fault)) {
            faults.add(fault);
        }
    }

    /** Equal surfaces give equal bytes. */
    private static void compare(
            SessionId id, StoredCheckpoint stored, SurfacePlanner planner, List<StoreFault> faults) {
        byte[] expected = SurfaceCheckpoint.of(planner.surface()).bytes();
        if (!Arrays.equals(stored.state(), expected)) {
            String unreadable = unreadable(stored);
            faults.add(
                    unreadable == null
                            ? checkpointFault(id, "what a fold from event 0 gives, " + planner.surface(), stored)
                            : new StoreFault(id, OptionalLong.empty(), CHECKPOINT, unreadable));
        }
    }

    private static @Nullable String unreadable(StoredCheckpoint stored) {
        try {
            SurfaceCheckpoint.parse(stored.state());
            return null;
        } catch (UnreadableCheckpointException e) {
            return e.getMessage();
        }
    }

    static StoreFault checkpointFault(SessionId id, String expected, StoredCheckpoint found) {
        return new StoreFault(
                id,
                OptionalLong.empty(),
                CHECKPOINT,
                "expected " + expected + ", found another after " + found.nextSeq()
                        + " events; rebuild puts a new one in its place");
    }

    private void compareWithLive(SessionId id, Surface folded, List<StoreFault> faults) {
        Surface live = projection.surface(id);
        // a session that grows meanwhile is compared next time
        boolean differs = live.nextSeq() == folded.nextSeq()
                && !(Arrays.equals(
                                SurfaceCheckpoint.of(live).bytes(),
                                SurfaceCheckpoint.of(folded).bytes())
                        && live.messages().equals(folded.messages()));
        if (differs) {
            faults.add(new StoreFault(
                    id,
                    OptionalLong.empty(),
                    "live surface",
                    "expected what a fold from event 0 gives, " + folded + ", found " + live));
        }
    }
}
