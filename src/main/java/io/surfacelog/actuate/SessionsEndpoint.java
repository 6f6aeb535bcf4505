package io.surfacelog.actuate;

import io.surfacelog.actuate.Faults.FaultView;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.SessionFilter;
import io.surfacelog.store.SessionPage;
import io.surfacelog.store.StoredSession;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/** Actuator endpoint {@code sessions}: which sessions there are, and what is known of one. */
@WebEndpoint(id = "sessions")
final class SessionsEndpoint {

    private final SessionQueries queries;
    private final SessionSurvey survey;
    private final DamagedSessions damaged;
    private final InspectProperties inspect;

    SessionsEndpoint(SessionQueries queries, SessionSurvey survey, DamagedSessions damaged, InspectProperties inspect) {
        this.queries = queries;
        this.survey = survey;
        this.damaged = damaged;
        this.inspect = inspect;
    }

    /** One page of sessions, newest first. */
    record PageView(
            List<SessionView> sessions,
            List<FaultView> damaged,
            @Nullable Long next) implements OperationResponseBody {}

    /** A session in a list. */
    record SessionView(
            String id,
            Instant createdAt,
            @Nullable String parent,
            @Nullable String origin,
            long events,
            long surfaceEvents) {}

    /**
     * A page of sessions; or, where a session is named, that one: so that an id that cannot stand in a path can be asked for.
     *
     * @param next where the page begins, as the page before it says
     */
    @ReadOperation
    @Nullable
    Object list(
            @Nullable String session,
            @Nullable String contains,
            @Nullable String parent,
            @Nullable OffsetDateTime createdFrom,
            @Nullable OffsetDateTime createdTo,
            @Nullable Long next,
            @Nullable Long limit,
            SecurityContext asking) {
        if (session != null) {
            return session(session, asking);
        }
        SessionFilter filter = SessionFilter.all()
                .createdBetween(
                        millis("createdFrom", createdFrom, Long.MIN_VALUE),
                        millis("createdTo", createdTo, Long.MAX_VALUE))
                .before(Selected.within("next", next, 0, Long.MAX_VALUE, Long.MAX_VALUE))
                .limit((int) Selected.within("limit", limit, 1, 1_000, 100));
        if (contains != null) {
            filter = filter.idContaining(contains);
        }
        if (parent != null) {
            filter = filter.childrenOf(parent);
        }
        SessionPage page = queries.list(filter);
        damaged.add(page.damaged());
        return new PageView(
                page.sessions().stream().map(SessionsEndpoint::view).toList(),
                Faults.faults(page.damaged(), Content.of(inspect, asking)),
                page.next().isPresent() ? page.next().getAsLong() : null);
    }

    private static long millis(String name, @Nullable OffsetDateTime found, long byDefault) {
        try {
            return found == null ? byDefault : found.toInstant().toEpochMilli();
        } catch (ArithmeticException e) {
            throw Selected.invalid(name, "a time that milliseconds can count", found.toString());
        }
    }

    private static SessionView view(StoredSession session) {
        return new SessionView(
                session.id().value(),
                Instant.ofEpochMilli(session.header().createdAt()),
                session.header().parentSession().orElse(null),
                session.header().origin().orElse(null),
                session.nextSeq(),
                session.surfaceEvents());
    }

    @ReadOperation
    SessionSurvey.@Nullable SurveyView session(@Selector String session, SecurityContext asking) {
        return Selected.session(session, id -> survey.of(id, Content.of(inspect, asking)));
    }
}
