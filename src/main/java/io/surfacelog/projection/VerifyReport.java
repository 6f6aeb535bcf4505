package io.surfacelog.projection;

import io.surfacelog.event.SessionId;
import io.surfacelog.store.StoreFault;
import io.surfacelog.surface.Finding;
import java.util.List;

/**
 * What verifying a session found.
 *
 * @param session the session
 * @param events how many events could be read and folded
 * @param faults what is not as it was written; empty for a sound session
 * @param findings what the structure rules say, which is no fault of the store
 */
public record VerifyReport(SessionId session, long events, List<StoreFault> faults, List<Finding> findings) {

    public VerifyReport {
        faults = List.copyOf(faults);
        findings = List.copyOf(findings);
    }

    /** Whether everything is as it was written. */
    public boolean isSound() {
        return faults.isEmpty();
    }
}
