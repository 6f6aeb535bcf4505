package io.surfacelog.actuate;

import io.surfacelog.actuate.Faults.FaultView;
import io.surfacelog.actuate.Faults.FindingView;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionVerifier;
import io.surfacelog.projection.VerifyReport;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreFault;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Actuator endpoint {@code verify}: whether everything is as it was written. Changes nothing in the store, but takes its
 * time and reads all there is: hence a write operation, which nobody sets off by looking.
 */
@WebEndpoint(id = "verify")
final class VerifyEndpoint {

    private final EventStore store;
    private final SessionVerifier verifier;
    private final DamagedSessions damaged;
    private final InspectProperties inspect;

    VerifyEndpoint(EventStore store, SessionVerifier verifier, DamagedSessions damaged, InspectProperties inspect) {
        this.store = store;
        this.verifier = verifier;
        this.damaged = damaged;
        this.inspect = inspect;
    }

    /** What was found. Findings of the structure rules are no fault of the store. */
    record VerifyView(
            @Nullable String session,
            @Nullable Long events,
            boolean sound,
            List<FaultView> faults,
            List<FindingView> findings)
            implements OperationResponseBody {}

    /** Verifies the named session, for ids that cannot stand in a path; without one, all that belongs to no single session. */
    @WriteOperation
    WebEndpointResponse<VerifyView> shared(@Nullable String session, SecurityContext asking) {
        if (session != null) {
            return session(session, asking);
        }
        List<StoreFault> faults = store.verifyShared();
        damaged.add(faults);
        return new WebEndpointResponse<>(new VerifyView(
                null, null, faults.isEmpty(), Faults.faults(faults, Content.of(inspect, asking)), List.of()));
    }

    /** Verifies one session. Cost: O(log), twice. */
    @WriteOperation
    WebEndpointResponse<VerifyView> session(@Selector String session, SecurityContext asking) {
        Content content = Content.of(inspect, asking);
        VerifyView view = Selected.session(session, id -> view(id, content));
        // no answer to a write would be one of success
        return view == null
                ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND)
                : new WebEndpointResponse<>(view);
    }

    private VerifyView view(SessionId id, Content content) {
        VerifyReport report = verifier.verify(id);
        damaged.verified(report);
        return new VerifyView(
                id.value(),
                report.events(),
                report.isSound(),
                Faults.faults(report.faults(), content),
                Faults.findings(report.findings(), content));
    }
}
