package io.surfacelog.actuate;

import io.surfacelog.actuate.SessionLogEndpoint.EventView;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.Provenance;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.surface.Replacement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/** Actuator endpoint {@code provenance}: what an event was made of, and what became of it. */
@WebEndpoint(id = "provenance")
final class ProvenanceEndpoint {

    private final SessionQueries queries;
    private final InspectProperties inspect;

    ProvenanceEndpoint(SessionQueries queries, InspectProperties inspect) {
        this.queries = queries;
        this.inspect = inspect;
    }

    /**
     * Where an event comes from and what became of it.
     *
     * @param replaces the seqs it took off the surface, null unless it is a replace
     * @param replacedBy the replace that took it off the surface, null if none has
     * @param chain from the event over what replaced it, and what replaced that, to the top
     */
    record ProvenanceView(
            String session,
            EventView event,
            boolean onSurface,
            List<Long> cites,
            List<Long> citedBy,
            @Nullable List<Long> replaces,
            @Nullable Long replacedBy,
            List<Long> chain)
            implements OperationResponseBody {}

    /** As the other, for ids that cannot stand in a path. */
    @ReadOperation
    @Nullable
    ProvenanceView named(String session, long seq, SecurityContext asking) {
        return provenance(session, seq, asking);
    }

    @ReadOperation
    @Nullable
    ProvenanceView provenance(@Selector String session, @Selector long seq, SecurityContext asking) {
        Content content = Content.of(inspect, asking);
        return Selected.session(session, id -> view(id, seq, content));
    }

    private ProvenanceView view(SessionId id, long seq, Content content) {
        Provenance found = queries.provenance(id, seq);
        return new ProvenanceView(
                id.value(),
                SessionLogEndpoint.view(found.event(), queries.refresh(id), content),
                found.onSurface(),
                seqs(found.cites()),
                seqs(found.citedBy()),
                found.replaces()
                        .map(replacement -> seqs(replacement.shadowed()))
                        .orElse(null),
                found.replacedBy().map(Replacement::seq).orElse(null),
                found.chain());
    }

    private static List<Long> seqs(EventSeqs seqs) {
        return seqs.stream().boxed().toList();
    }
}
