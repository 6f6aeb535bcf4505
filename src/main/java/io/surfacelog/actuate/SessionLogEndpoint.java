package io.surfacelog.actuate;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.surface.Surface;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/** Actuator endpoint {@code sessionlog}: the events of a session, and what became of each. */
@WebEndpoint(id = "sessionlog")
final class SessionLogEndpoint {

    private static final String CURRENT = "current";
    private static final String SHADOWED = "shadowed";
    private static final String LOG_ONLY = "log-only";

    private static final long PAGE_BYTES = 4 << 20;

    private final EventStore store;
    private final SessionQueries queries;
    private final InspectProperties inspect;

    SessionLogEndpoint(EventStore store, SessionQueries queries, InspectProperties inspect) {
        this.store = store;
        this.queries = queries;
        this.inspect = inspect;
    }

    /** Events of a session. */
    record LogView(
            String session,
            long nextSeq,
            List<EventView> events,
            @Nullable Long next) implements OperationResponseBody {}

    /**
     * One event.
     *
     * @param state current while the model sees it, shadowed once it was replaced, log-only if it never was to be seen
     * @param bytes size of the data as compact JSON
     * @param surfaceOp how it joined the surface, as JSON; null on a log-only event
     * @param sources the earlier events it cites
     * @param data its data as compact JSON
     */
    record EventView(
            long seq,
            Instant time,
            String type,
            String state,
            long bytes,
            @Nullable String surfaceOp,
            List<Long> sources,
            String data) {}

    /** As the other, for ids that cannot stand in a path. */
    @ReadOperation
    @Nullable
    LogView named(String session, @Nullable Long from, @Nullable Long limit, SecurityContext asking) {
        return log(session, from, limit, asking);
    }

    @ReadOperation
    @Nullable
    LogView log(@Selector String session, @Nullable Long from, @Nullable Long limit, SecurityContext asking) {
        long first = Selected.within("from", from, 0, Long.MAX_VALUE - 1_000, 0);
        long most = Selected.within("limit", limit, 1, 1_000, 100);
        Content content = Content.of(inspect, asking);
        return Selected.session(session, id -> view(id, first, most, content));
    }

    private LogView view(SessionId id, long from, long limit, Content content) {
        // a few may be large: the page ends where it would become so
        List<SessionEvent> events =
                store.events(id, EventRange.of(from, from + limit).bytes(PAGE_BYTES));
        // later than the events: each of them is on it, or was
        Surface surface = queries.refresh(id);
        long next = from + events.size();
        return new LogView(
                id.value(),
                surface.nextSeq(),
                events.stream().map(event -> view(event, surface, content)).toList(),
                !events.isEmpty() && next < surface.nextSeq() ? next : null);
    }

    static EventView view(SessionEvent event, Surface surface, Content content) {
        return new EventView(
                event.seq(),
                Instant.ofEpochMilli(event.time()),
                event.type(),
                state(event, surface),
                event.data().utf8Bytes(),
                event.intent().map(intent -> intent.op().toJson().toText()).orElse(null),
                event.intent()
                        .map(intent -> intent.sourcesOrNone().stream().boxed().toList())
                        .orElse(List.of()),
                content.of(event.data().text()));
    }

    private static String state(SessionEvent event, Surface surface) {
        if (!event.isSurface()) {
            return LOG_ONLY;
        }
        return surface.node(event.seq()).isPresent() ? CURRENT : SHADOWED;
    }
}
