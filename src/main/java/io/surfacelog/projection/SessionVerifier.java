package io.surfacelog.projection;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreFault;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Verifies sessions: every row as it was written, every event as admission would let it in now, and the live surface as
 * a fold from the first event gives it. Reads only. Safe for use by several threads.
 */
public final class SessionVerifier {

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
        projection.refreshTypes();
        SurfacePlanner planner = Surface.empty().planner(new SurfaceRules(projection.types(), StructureMode.REPORT));
        try {
            store.forEach(id, EventRange.all(), event -> planner.fold(EventCandidate.of(event)));
            compareWithLive(id, planner.surface(), faults);
        } catch (DamagedStoreException e) {
            if (!faults.contains(e.fault())) {
                faults.add(e.fault());
            }
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

    private void compareWithLive(SessionId id, Surface folded, List<StoreFault> faults) {
        Surface live = projection.surface(id);
        // a session that grows meanwhile is compared next time
        boolean differs = live.nextSeq() == folded.nextSeq()
                && (live.generation() != folded.generation()
                        || !Arrays.equals(live.nodeSeqs(), folded.nodeSeqs())
                        || !live.messages().equals(folded.messages()));
        if (differs) {
            faults.add(new StoreFault(
                    id,
                    OptionalLong.empty(),
                    "live surface",
                    "expected what a fold from event 0 gives, " + folded + ", found " + live));
        }
    }
}
