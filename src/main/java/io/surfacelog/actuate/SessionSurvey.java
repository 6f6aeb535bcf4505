package io.surfacelog.actuate;

import io.surfacelog.actuate.Faults.FindingView;
import io.surfacelog.event.AssistantMessage;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.Usage;
import io.surfacelog.projection.SessionQueries;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.LeaseHolder;
import io.surfacelog.store.LeasePurpose;
import io.surfacelog.store.StoredLease;
import io.surfacelog.surface.Surface;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Looks a session over, from its header to its last event. Cost: O(log). */
final class SessionSurvey {

    private final EventStore store;
    private final SessionQueries queries;
    private final Clock clock;

    SessionSurvey(EventStore store, SessionQueries queries, Clock clock) {
        this.store = store;
        this.queries = queries;
        this.clock = clock;
    }

    /**
     * What is known of one session.
     *
     * @param header its header as JSON
     * @param turns how many turns it has begun
     * @param replaces how often its surface was rewritten
     * @param bytes its events as compact JSON, without what each is wrapped in
     * @param tokens what models have said they used, empty if none has
     * @param owner who drives it, null if nobody does
     */
    record SurveyView(
            String id,
            Instant createdAt,
            String header,
            long events,
            Map<String, Long> types,
            int surfaceNodes,
            long turns,
            boolean openTurn,
            long replaces,
            long bytes,
            Map<String, Long> tokens,
            @Nullable Instant lastEventAt,
            @Nullable OwnerView owner,
            List<FindingView> findings)
            implements OperationResponseBody {}

    /** Who drives a session. */
    record OwnerView(String holder, long token, boolean live, Instant renewedAt, Instant expiresAt) {}

    SurveyView of(SessionId id, Content content) {
        Surface surface = queries.refresh(id);
        SessionHeader header = queries.header(id);
        Tally tally = new Tally();
        queries.forEach(id, tally::add);
        return new SurveyView(
                id.value(),
                Instant.ofEpochMilli(header.createdAt()),
                content.of(header.json().toText()),
                tally.events,
                tally.types,
                surface.nodes().size(),
                surface.lastTurn(),
                surface.hasOpenTurn(),
                surface.generation(),
                tally.bytes,
                tally.tokens,
                tally.events == 0 ? null : Instant.ofEpochMilli(tally.lastTime),
                store.lease(id, LeasePurpose.DRIVER).map(this::owner).orElse(null),
                Faults.findings(surface.findings(), content));
    }

    private @Nullable OwnerView owner(StoredLease lease) {
        LeaseHolder holder = lease.holder();
        return holder == null
                ? null
                : new OwnerView(
                        holder.description(),
                        lease.token(),
                        lease.isLive(clock.millis()),
                        Instant.ofEpochMilli(lease.renewedAt()),
                        Instant.ofEpochMilli(lease.expiresAt()));
    }

    /** Adds up what a log holds. */
    private static final class Tally {

        private final Map<String, Long> types = new TreeMap<>();
        private final Map<String, Long> tokens = new TreeMap<>();
        private long events;
        private long bytes;
        private long lastTime;

        void add(SessionEvent event) {
            events++;
            bytes += event.data().utf8Bytes();
            lastTime = event.time();
            types.merge(event.type(), 1L, Long::sum);
            if (event.isSurface() && event.payload() instanceof AssistantMessage answer) {
                answer.usage().ifPresent(this::add);
            }
        }

        private void add(Usage usage) {
            used("input", usage.inputTokens());
            used("output", usage.outputTokens());
            usage.cacheReadTokens().ifPresent(count -> used("cacheRead", count));
            usage.cacheWriteTokens().ifPresent(count -> used("cacheWrite", count));
            usage.reasoningTokens().ifPresent(count -> used("reasoning", count));
        }

        /** A log from elsewhere may claim any number: the sum stays at the largest there is. */
        private void used(String kind, long count) {
            tokens.merge(kind, count, (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b);
        }
    }
}
